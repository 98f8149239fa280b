// The parts of the pages that need a script: the choice of colours, and events as they happen.
'use strict';

document.addEventListener('click', (click) => {
  if (!click.target.closest('[data-action="theme"]')) return;
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `faasimage_theme=${root.dataset.theme}; Path=/ui; Max-Age=31536000; SameSite=Strict${secure}`;
});

// Lists that refresh themselves, but not while the page is hidden.
document.addEventListener('htmx:beforeRequest', (event) => {
  const timed = (event.target.getAttribute('hx-trigger') || '').startsWith('every');
  if (timed && document.hidden) event.preventDefault();
});

// A list that could not be refreshed reports so until it could.
const trouble = (text) => {
  const box = document.getElementById('trouble');
  box.textContent = text;
  box.hidden = !text;
};
document.addEventListener('htmx:sendError', () => trouble('The service does not answer. This page is out of date.'));
document.addEventListener('htmx:responseError', (event) => {
  trouble(`The service answered with status ${event.detail.xhr.status}. This page is out of date.`);
});
document.addEventListener('htmx:afterRequest', (event) => { if (event.detail.successful) trouble(''); });

// Selections that filter at once.
document.addEventListener('change', (change) => {
  if (change.target.matches('[data-submit]')) change.target.form.requestSubmit();
});

const follow = document.getElementById('follow');
if (follow) {
  const MOST = 500;
  const rows = document.getElementById('events');
  const words = { info: ['', 'info'], fallback: ['busy still', 'fall-back'], error: ['bad', 'error'] };
  const element = (name, kind, text) => {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    return made;
  };
  const time = (instant) => {
    const parts = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
    }).format(new Date(instant));
    return `${parts.replace(',', '')} UTC`;
  };
  // The newest event that was seen; a new stream continues after it.
  let last = Number(follow.dataset.since);
  const show = (message) => {
    const event = JSON.parse(message.data);
    if (event.id <= last) return;
    last = event.id;
    const row = document.createElement('tr');
    const [kind, word] = words[event.severity] || ['', event.severity];
    const severity = document.createElement('td');
    severity.append(element('span', `state ${kind}`, word));
    const subject = element('td', 'subject', event.subject);
    subject.append(element('span', 'sub', event.topic));
    row.append(element('td', 'num when', time(event.at)), severity, subject, element('td', 'text', event.text));
    row.className = 'fresh';
    rows.prepend(row);
    while (rows.rows.length > MOST) rows.deleteRow(-1);
    const empty = document.getElementById('no-events');
    if (empty) empty.remove();
  };
  let stream = null;
  let again = 0;
  const open = () => {
    stream = new EventSource(`${follow.dataset.stream}since=${last}`);
    stream.addEventListener('job', show);
    stream.addEventListener('node', show);
    stream.addEventListener('open', () => { follow.textContent = 'Following'; });
    stream.addEventListener('error', () => {
      follow.textContent = 'Connecting';
      // The browser reconnects by itself after a lost connection, but not after a refusal.
      if (stream && stream.readyState === EventSource.CLOSED) again = setTimeout(open, 5000);
    });
  };
  const set = (on) => {
    clearTimeout(again);
    if (stream) stream.close();
    stream = null;
    follow.setAttribute('aria-pressed', String(on));
    follow.textContent = on ? 'Connecting' : 'Follow live';
    if (on) open();
  };
  follow.hidden = false;
  follow.addEventListener('click', () => set(follow.getAttribute('aria-pressed') !== 'true'));
}
