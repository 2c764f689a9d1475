// The script of the dashboard. No page needs it: it adds keys, a question before what cannot be undone, copying by a click, choosing all
// rows, and a line when a page has become old. It makes elements and texts, never markup from text, and loads nothing.

const main = document.getElementById('content');
const live = document.querySelector('.live');

/** An element with a text. */
function made(name, className, text) {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

/** Says something to those who do not see the page. */
function say(text) {
  const line = made('p', 'unseen', text);
  live.append(line);
  setTimeout(() => line.remove(), 5000);
}

// Copying: a button behind each id, and each command.

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = '✓';
    say('Copied');
  } catch {
    button.textContent = '✕';
  }
  setTimeout(() => {
    button.textContent = 'copy';
  }, 2000);
}

for (const id of document.querySelectorAll('main .id, .foot .copied')) {
  const text = id.dataset.whole ?? id.textContent;
  const button = made('button', 'copy', 'copy');
  button.type = 'button';
  button.title = 'Copy';
  button.setAttribute('aria-label', `Copy ${text}`);
  button.addEventListener('click', () => copy(text, button));
  (id.closest('a') ?? id).after(button);
}

// A question before what cannot be undone.

const dialog = document.createElement('dialog');
const question = made('p', '', '');
const yes = made('button', 'danger', 'Yes, do it');
const no = made('button', 'plain', 'No, go back');
const answers = made('div', 'buttons', '');
question.id = 'question';
dialog.setAttribute('aria-labelledby', 'question');
answers.append(no, yes);
dialog.append(question, answers);
document.body.append(dialog);
let asked = null;

document.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (!button?.dataset.confirm || asked === button) {
    asked = null;
    return;
  }
  event.preventDefault();
  question.textContent = button.dataset.confirm;
  yes.onclick = () => {
    dialog.close();
    asked = button;
    button.form.requestSubmit(button);
  };
  no.onclick = () => dialog.close();
  dialog.onclose = () => button.focus();
  dialog.showModal();
  no.focus();
});

// A form that is sent twice by a double click acts once.

document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || event.target.method !== 'post') return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = 'yes';
  setTimeout(() => delete event.target.dataset.sent, 5000);
});

// Choosing all rows of a table, and a span of them with the shift key.

for (const table of document.querySelectorAll('table:has(td.choice input)')) {
  const boxes = [...table.querySelectorAll('td.choice input')];
  const all = document.createElement('input');
  const count = made('span', 'note', '');
  all.type = 'checkbox';
  all.setAttribute('aria-label', 'Choose all rows of this page');
  count.setAttribute('aria-live', 'polite');
  table.querySelector('th.choice').append(all);
  table.after(count);
  const counted = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
    count.textContent = chosen === 0 ? '' : `${chosen} of ${boxes.length} chosen`;
  };
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    counted();
  });
  let last = null;
  for (const box of boxes) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== null) {
        const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((one, other) => one - other);
        for (const between of boxes.slice(from, to)) between.checked = box.checked;
      }
      last = box;
      counted();
    });
  }
  counted();
}

// Keys. None of them is read while a person writes.

const PLACES = {
  t: '/',
  f: '/find',
  r: '/refunds',
  e: '/exceptions',
  p: '/periods',
  v: '/events',
  o: '/forwarding',
  a: '/alerts',
};
const KEYS = [
  ['/', 'find'],
  ['g t', 'Today'],
  ['g r', 'Refunds'],
  ['g e', 'Exceptions'],
  ['g p', 'Periods'],
  ['g v', 'Events'],
  ['g o', 'Forwarding'],
  ['g a', 'Alerts'],
  ['j, k', 'next row, row before'],
  ['Enter', 'open the row'],
  ['x', 'choose the row'],
  ['n', 'next page'],
  ['?', 'these keys'],
];

let isGoing = false;

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.target.closest('input, textarea, select')) return;
  const { key } = event;
  if (isGoing) {
    isGoing = false;
    if (PLACES[key]) location.assign(PLACES[key]);
    return;
  }
  if (key === 'g') {
    isGoing = true;
    setTimeout(() => {
      isGoing = false;
    }, 1500);
  } else if (key === '/') {
    event.preventDefault();
    document.getElementById('find-anything')?.focus();
  } else if (key === 'j' || key === 'k') toRow(key === 'j' ? 1 : -1);
  else if (key === 'x') document.activeElement.closest('tr')?.querySelector('td.choice input')?.click();
  else if (key === 'n') document.querySelector('.pages [rel=next]')?.click();
  else if (key === '?') showKeys();
});

/** Moves the focus to the first link, or box, of the next row. */
function toRow(step) {
  const rows = [...main.querySelectorAll('tbody tr')].filter((row) => row.querySelector('a, input'));
  const at = rows.indexOf(document.activeElement.closest('tr'));
  const row = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  row?.querySelector('a, input')?.focus();
}

const keys = document.createElement('dialog');
function showKeys() {
  if (keys.childElementCount === 0) {
    const list = made('dl', 'facts', '');
    for (const [key, meaning] of KEYS) {
      const row = document.createElement('div');
      row.append(made('dt', '', key), made('dd', '', meaning));
      list.append(row);
    }
    const close = made('button', 'plain', 'Close');
    close.addEventListener('click', () => keys.close());
    keys.setAttribute('aria-label', 'Keys');
    keys.append(made('h2', '', 'Keys'), list, close);
    document.body.append(keys);
  }
  keys.showModal();
}

// What is shown becomes old: a line says so, and nothing moves under the hands of a person.

const regions = (document.body.dataset.regions ?? '').split(' ').filter(Boolean);
if (regions.length > 0 && 'EventSource' in window) {
  const stream = new EventSource('/stream');
  stream.addEventListener('old', (event) => {
    const changed = event.data.split(' ').filter((region) => regions.includes(region));
    if (changed.length === 0 || document.querySelector('.stale')) return;
    const line = made('p', 'stale', `Newer ${changed.join(' and ')} came. `);
    const again = made('a', '', 'Show them');
    again.href = location.href.replace(/#.*$/, '');
    line.append(again);
    line.setAttribute('role', 'status');
    live.after(line);
  });
  // A newer window listens in the place of this one, or the session has ended.
  stream.addEventListener('over', () => stream.close());
  addEventListener('pagehide', () => stream.close());
}
