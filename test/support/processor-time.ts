/** Milliseconds of processor time that `work` takes on this thread: no other program lengthens them. */
export function processorMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
