/** An attack on the protocol as raw bytes. The server must not grant any request in them. */
export interface HostileRequest {
  name: string
  bytes: string | Buffer
}

const LINE = '\r\n'
const request = (lines: readonly string[], body = '', start = 'POST /api/login HTTP/1.1') =>
  [start, 'Host: pulse', ...lines, '', body].join(LINE)
/** The request that a smuggler hides behind the first one. Its answer would contain "healthy". */
const hidden = request([], '', 'GET /api/health HTTP/1.1')
const json = 'Content-Type: application/json'
const long = (length: number) => 'a'.repeat(length)

const lengths = [
  '+5',
  '-1',
  '0x10',
  '5, 5',
  '5 5',
  '',
  ' ',
  '1e3',
  '5.0',
  '99999999999999999999',
  '٥',
  '5;',
  'NaN',
  '\t',
  '5\v',
].map((value) => ({
  name: `a length of ${JSON.stringify(value)}`,
  bytes: request([json, `Content-Length: ${value}`], hidden),
}))

const codings = [
  'chunked',
  'Chunked',
  'CHUNKED',
  'chunked, identity',
  'identity, chunked',
  'gzip, chunked',
  'chunked\t',
  'x',
  'identity',
  '"chunked"',
  'chunked;q=1',
  ',chunked',
  'xchunked',
  'chunked chunked',
]
const bothLengths = codings.flatMap((coding) => [
  {
    name: `a length and Transfer-Encoding: ${JSON.stringify(coding)}`,
    bytes: request([json, 'Content-Length: 4', `Transfer-Encoding: ${coding}`], `0${LINE}${LINE}${hidden}`),
  },
  {
    name: `Transfer-Encoding: ${JSON.stringify(coding)} and a length`,
    bytes: request([json, `Transfer-Encoding: ${coding}`, 'Content-Length: 4'], `0${LINE}${LINE}${hidden}`),
  },
])
const oddCodings = ['xchunked', 'chunked, identity', '\vchunked', 'chunked\0', 'cow', 'identity'].map(
  (coding) => ({
    name: `only Transfer-Encoding: ${JSON.stringify(coding)}`,
    bytes: request([json, `Transfer-Encoding: ${coding}`], `0${LINE}${LINE}${hidden}`),
  }),
)
const repeated = [
  { name: 'two lengths', bytes: request([json, 'Content-Length: 2', 'Content-Length: 5'], `{}${hidden}`) },
  { name: 'the same length twice', bytes: request([json, 'Content-Length: 2', 'Content-Length: 2'], '{}') },
  {
    name: 'Transfer-Encoding twice',
    bytes: request(
      [json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      `0${LINE}${LINE}${hidden}`,
    ),
  },
]

const chunks = [
  'zz',
  '-1',
  '0x5',
  'FFFFFFFFFFFFFFFFF',
  '5 ',
  ' 5',
  '',
  '5\n',
  'G',
  '1\r',
  `5;${long(100_000)}`,
  '5;a=b\rc',
  '+5',
  '5\0',
].map((size) => ({
  name: `a chunk of size ${JSON.stringify(size.slice(0, 20))}`,
  bytes: request([json, 'Transfer-Encoding: chunked'], `${size}${LINE}hello${LINE}0${LINE}${LINE}${hidden}`),
}))
const chunkBodies = [
  {
    name: 'a chunk longer than it says',
    bytes: request([json, 'Transfer-Encoding: chunked'], `3${LINE}hello${LINE}0${LINE}${LINE}${hidden}`),
  },
  {
    name: '10,000 trailers',
    bytes: request(
      [json, 'Transfer-Encoding: chunked'],
      `0${LINE}${Array.from({ length: 10_000 }, (_, n) => `t${n}: x`).join(LINE)}${LINE}${LINE}${hidden}`,
    ),
  },
]

const headers = [
  { name: '10,000 headers', lines: Array.from({ length: 10_000 }, (_, n) => `h${n}: x`) },
  { name: 'a header of 17 kB', lines: [`x: ${long(17_000)}`] },
  { name: 'a header of 1 MB', lines: [`x: ${long(1_000_000)}`] },
  { name: 'a header name of 100 kB', lines: [`${long(100_000)}: x`] },
  { name: 'a cookie of 100 kB', lines: [`Cookie: ${long(100_000)}`] },
  { name: 'a space before the colon', lines: ['Content-Length : 5'] },
  { name: 'a header without a name', lines: [': x'] },
  { name: 'a header without a colon', lines: ['nonsense'] },
  { name: 'a NUL in a header', lines: ['x: a\0b'] },
  { name: 'a bare carriage return in a header', lines: ['x: a\rb: c'] },
  { name: 'a control character in a name', lines: ['x\x01: c'] },
  { name: 'a name in brackets', lines: ['(x): c'] },
].map(({ name, lines }) => ({ name, bytes: request(lines, '') }))

const starts = [
  'GET /api/health HTTP/9.9',
  'GET /api/health HTTP/1.1 x',
  'GET /api/health\tHTTP/1.1',
  'FROB /api/health HTTP/1.1',
  'get /api/health HTTP/1.1',
  'GET /api/health HTTP/1.1\0',
  '\0GET /api/health HTTP/1.1',
  'GET /api/he\0alth HTTP/1.1',
  'GET /api/health http/1.1',
  'GET /api/health HTTP/01.1',
  'GET /api/health HTTP/-1.1',
  `GET /${long(17_000)} HTTP/1.1`,
  `GET /api/${long(1_000_000)} HTTP/1.1`,
  `${long(10_000)} / HTTP/1.1`,
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  'GET /api/health FTP/1.1',
  'PRI * HTTP/2.0',
  'GET /%00 HTTP/1.1',
  'GET /%c0%ae%c0%ae/ HTTP/1.1',
  'GET /api/%zz HTTP/1.1',
].map((start) => ({
  name: `begins with ${JSON.stringify(start.slice(0, 40))}`,
  bytes: request([], '', start),
}))

const others = [
  { name: 'no host', bytes: `GET /api/health HTTP/1.1${LINE}${LINE}` },
  { name: 'a greeting of TLS', bytes: Buffer.from('16030100a5010000a10303', 'hex') },
  { name: 'noise', bytes: Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256)) },
  { name: 'a megabyte without a line end', bytes: long(1_000_000) },
  { name: 'line ends alone', bytes: LINE.repeat(50_000) + 'x' + LINE + LINE },
]

export const hostileRequests: HostileRequest[] = [
  ...lengths,
  ...bothLengths,
  ...oddCodings,
  ...repeated,
  ...chunks,
  ...chunkBodies,
  ...headers,
  ...starts,
  ...others,
]
