// The process of a dashboard's route in tests of the frame: it is killed before it has an answer.
process.on('message', () => process.kill(process.pid, 'SIGKILL'));
