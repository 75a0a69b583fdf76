/** Each has a visible effect if a page ever interprets it: a dialog, a report, or a call to another host. */
const vectors = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '<svg onload=alert(3)>',
  '<svg><script href="data:,alert(4)"></script></svg>',
  '<iframe srcdoc="<script>alert(5)</script>">',
  '<iframe src="javascript:alert(6)">',
  '<a href="javascript:alert(7)">x</a>',
  '<body onload=alert(8)>',
  '<input autofocus onfocus=alert(9)>',
  '<details open ontoggle=alert(10)>',
  '<video><source onerror=alert(11)></video>',
  '<math><mtext><img src=x onerror=alert(12)></mtext></math>',
  '<style>@import "//elsewhere.example/s.css"</style>',
  '<link rel=stylesheet href=//elsewhere.example/l.css>',
  '<img src=//elsewhere.example/i.png>',
  '<object data=//elsewhere.example/o>',
  '<embed src=//elsewhere.example/e>',
  '<base href=//elsewhere.example/>',
  '<meta http-equiv=refresh content="0;url=//elsewhere.example/">',
  '<form action=//elsewhere.example/><button>x</button></form>',
  '<template><img src=x onerror=alert(13)></template>',
  '<noscript><img src=x onerror=alert(14)></noscript>',
  '<marquee onstart=alert(15)>',
  '<isindex action=javascript:alert(16)>',
  '&lt;img src=x onerror=alert(17)&gt;',
  '&#60;img src=x onerror=alert(18)&#62;',
  '<<img src=x onerror=alert(19)//',
  'javascript:alert(20)',
  'data:text/html,<script>alert(21)</script>',
  '{{constructor.constructor("alert(22)")()}}',
  '${alert(23)}',
  "';alert(24)//",
  '"onmouseover="alert(25)',
  'url(//elsewhere.example/u)',
  '=cmd|"/c calc"!A1',
  '__proto__',
]

/** Prefixes that an attacker uses to escape from the surrounding markup. */
const escapes = ['', '">', "'>", '</script>', '</title></style>', '-->']

/** The first `count` payloads, the plain ones first. */
export const payloads = (count: number): string[] =>
  escapes.flatMap((escape) => vectors.map((vector) => escape + vector)).slice(0, count)

/** Texts that spoil the layout without injecting code: length, direction, and characters that are not letters. */
export const oddTexts = [
  `endless ${'name'.repeat(2_500)}`,
  'right \u202Eto left\u202C שלום عالم',
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(20),
  'null\u0000byte and \u0007bell',
  `stacked ${'e\u0301\u0302\u0303\u0304'.repeat(20)}`,
  'line\nafter\r\n\tline',
]
