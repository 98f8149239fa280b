// Charts of the figures in the tables beside them.
// The library is loaded when the first one comes into view; without it the tables stay.
'use strict';

(() => {
  document.documentElement.classList.add('scripted');
  const CLASSES = ['lazy', 'misses', 'full', 'refused'];
  const WORDS = { lazy: 'lazy', misses: 'with misses', full: 'full pull', refused: 'refused' };
  const HOUR = 3600e3;
  const drawn = new Map();
  const inView = new Set();
  let library = null;

  const load = (address) => {
    library ??= new Promise((done, failed) => {
      const script = document.createElement('script');
      script.src = address;
      script.addEventListener('load', done);
      script.addEventListener('error', failed);
      document.head.append(script);
    });
    return library;
  };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const label = (time, span) => new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC', hour: '2-digit', minute: '2-digit', ...(span > 24 && { day: 'numeric', month: 'short' }),
  }).format(time);

  // One entry per hour, also of those without starts, from the first one with any: a day at least.
  const read = (table) => {
    const rows = new Map([...table.tBodies[0].rows].map((row) => [Date.parse(row.dataset.at), row.dataset]));
    const end = Date.parse(table.dataset.until);
    const span = Math.min(Number(table.dataset.span), Math.max(24, (end - Math.min(end, ...rows.keys())) / HOUR));
    const hours = Array.from({ length: span }, (_, i) => end - (span - i) * HOUR);
    const values = (name, none, factor = 1) =>
      hours.map((hour) => (rows.get(hour)?.[name] === undefined ? none : Number(rows.get(hour)[name]) * factor));
    return { labels: hours.map((hour) => label(hour, span)), values };
  };

  const bar = (name, values, colourName, more) => ({ type: 'bar', label: name, data: values, backgroundColor: colour(colourName), ...more });
  const line = (name, values, colourName, more) => ({
    type: 'line', label: name, data: values, borderColor: colour(colourName), backgroundColor: colour(colourName),
    borderWidth: 1.5, pointRadius: 2, spanGaps: false, ...more,
  });
  const axis = (title, more) => ({
    beginAtZero: true, title: { display: true, text: title, color: colour('muted') }, ticks: { color: colour('muted'), maxTicksLimit: 5 },
    grid: { color: colour('line') }, border: { display: false }, ...more,
  });
  const KINDS = {
    starts: ({ values }) => ({
      datasets: CLASSES.map((name) => bar(WORDS[name], values(name, 0), name, { stack: 'all' })),
      scales: { y: axis('starts', { stacked: true }) },
    }),
    saved: ({ values }) => ({
      datasets: [bar('megabytes saved', values('saved', 0, 1e-6), 'base', { yAxisID: 'y' }),
        line('seconds saved', values('time', 0, 1e-6), 'func', { yAxisID: 'seconds', order: -1 })],
      scales: { y: axis('MB'), seconds: axis('s', { position: 'right', grid: { drawOnChartArea: false } }) },
    }),
    times: ({ values }) => ({
      datasets: ['lazy', 'misses', 'full'].map((name) => line(WORDS[name], values(`${name}Median`, null, 1e-3), name)),
      scales: { y: axis('ms') },
    }),
  };

  const draw = (plot) => {
    const table = document.getElementById(plot.dataset.table);
    if (!table || !inView.has(plot)) return;
    const data = read(table);
    const { datasets, scales } = KINDS[plot.dataset.plot](data);
    scales.x = {
      stacked: Boolean(scales.y.stacked), grid: { display: false }, border: { color: colour('line-strong') },
      ticks: { color: colour('muted'), maxRotation: 0, autoSkipPadding: 24 },
    };
    const chart = drawn.get(plot);
    if (chart) {
      Object.assign(chart.data, { labels: data.labels, datasets });
      chart.options.scales = scales;
      chart.options.plugins.legend.labels.color = colour('text');
      chart.update('none');
      return;
    }
    drawn.set(plot, new Chart(plot.querySelector('canvas'), {
      data: { labels: data.labels, datasets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false }, scales,
        plugins: { legend: { position: 'bottom', labels: { color: colour('text'), boxWidth: 10, boxHeight: 10 } } },
      },
    }));
    plot.dataset.drawn = 'yes';
  };

  const drawAll = () => document.querySelectorAll('.plot').forEach(draw);
  const watcher = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
    watcher.unobserve(entry.target);
    inView.add(entry.target);
    load(entry.target.closest('.plots').dataset.library).then(() => draw(entry.target), () => { entry.target.hidden = true; });
  }), { rootMargin: '200px' });
  const look = () => {
    for (const [plot, chart] of drawn) {
      if (!plot.isConnected) {
        chart.destroy();
        drawn.delete(plot);
        inView.delete(plot);
      }
    }
    document.querySelectorAll('.plot').forEach((plot) => { if (!inView.has(plot)) watcher.observe(plot); });
    if (drawn.size) drawAll();
  };
  look();
  document.addEventListener('htmx:afterSettle', look);
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
