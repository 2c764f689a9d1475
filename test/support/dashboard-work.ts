// The process of a dashboard's route in tests of the frame: answers each order with a file where the route is one, else that it leads to Today.
process.on('message', ({ order }: { order: { route: { path: string } } }) => {
  const file = { name: 'a.csv', type: 'text/csv', bytes: 'a' };
  const answer = order.route.path === '/file' ? file : { to: '/' };
  process.send?.({ type: 'answer', answer }, () => process.exit(0));
});
