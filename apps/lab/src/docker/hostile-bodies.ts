import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Dice } from '../random.ts'
import { deepText, prototypeTexts } from './hostile-values.ts'

interface Text {
  body: Buffer
  mustBeRefused?: boolean
}

interface Bytes extends Text {
  headers: Record<string, string>
}

const json = { 'Content-Type': 'application/json' }
const packed = { ...json, 'Content-Encoding': 'gzip' }
const noReport = (text: string): Text => ({ body: Buffer.from(text), mustBeRefused: true })
const perhaps = (text: string): Text => ({ body: Buffer.from(text) })

/** Texts that are not JSON, not a report, or JSON that parsers read differently. */
export const asText = (report: string, draw: Dice): Text => draw.pick(texts)(report, draw)

const texts: readonly ((report: string, draw: Dice) => Text)[] = [
  (report, draw) => noReport(report.slice(0, draw.int(0, report.length - 1))),
  (report) => noReport(`${report}${report}`),
  (report) => noReport(report.replaceAll('"', "'")),
  (report) => noReport(report.replace(/}$/, ',}')),
  (report) => noReport(report.replace(':', '=')),
  (report) =>
    noReport(
      report.replace(/"cpuPercent":[\d.]+/, '"cpuPercent":NaN').replace(/"timestamp":.*/, 'Infinity}'),
    ),
  (_, draw) =>
    noReport(
      draw.pick([
        '',
        ' ',
        'null',
        'true',
        '0',
        '-1',
        '"x"',
        '[]',
        '[[]]',
        '{}',
        '[{}]',
        '\0',
        'undefined',
        '<xml/>',
      ]),
    ),
  (_, draw) => noReport(deepText(draw, draw.pick([100, 1_000, 20_000]))),
  (report, draw) =>
    noReport(report.replace(/"containers":\[/, `"containers":[${deepText(draw, 50_000)}`).slice(0, 200_000)),
  (report, draw) => perhaps(report.replace('{', `{"deep":${deepText(draw, draw.pick([100, 3_000]))},`)),
  (report) => perhaps(report.replace(/"cpuPercent":[\d.]+/, '"cpuPercent":1e999')),
  (report) => perhaps(report.replace(/"restartCount":\d+/, `"restartCount":${'9'.repeat(400)}`)),
  (report, draw) => perhaps(report.replace('{', `{${draw.pick(prototypeTexts).slice(1, -1)},`)),
  (report, draw) => perhaps(report.replace('"host":{', `"host":{${draw.pick(prototypeTexts).slice(1, -1)},`)),
  (report, draw) =>
    perhaps(report.replace('"labels":{', `"labels":{${draw.pick(prototypeTexts).slice(1, -1)},`)),
  // A duplicate key: some parsers use the last value, others the first.
  (report) => perhaps(report.replace('{', '{"agent":null,"containers":[],')),
  (report) => perhaps(report.replace(/"hostname":"/, '"hostname":"\\u0000\\ud800')),
  (report) => perhaps(report.replace(/"hostname":"[^"]*"/, '"hostname":""')),
]

/** Bytes that do not match their headers, or that expand to far more. */
export function asBytes(report: string, draw: Dice): Bytes {
  const { headers, ...text } = draw.weighted(bytes)(report, draw)
  return { ...text, headers }
}

const bytes: readonly (readonly [weight: number, (report: string, draw: Dice) => Bytes])[] = [
  [4, (report) => ({ headers: packed, body: Buffer.from(report), mustBeRefused: true })],
  [4, (report, draw) => cut(gzipSync(report), draw)],
  [4, (report, draw) => spoilt(gzipSync(report), draw)],
  [3, (report) => ({ headers: packed, body: gzipSync(gzipSync(report)), mustBeRefused: true })],
  [3, (report) => ({ headers: { ...json, 'Content-Encoding': 'br' }, body: brotliCompressSync(report) })],
  [3, (report) => ({ headers: { ...json, 'Content-Encoding': 'deflate' }, body: deflateSync(report) })],
  [
    3,
    (report) => ({
      headers: { ...json, 'Content-Encoding': 'gzip, gzip' },
      body: gzipSync(gzipSync(report)),
    }),
  ],
  [
    3,
    (report) => ({
      headers: { ...json, 'Content-Encoding': 'x' },
      body: Buffer.from(report),
      mustBeRefused: true,
    }),
  ],
  [3, (report) => ({ headers: packed, body: Buffer.concat([gzipSync(report), Buffer.from('more')]) })],
  [3, (report) => ({ headers: { 'Content-Type': 'text/plain' }, body: Buffer.from(report) })],
  [
    3,
    (report) => ({
      headers: { 'Content-Type': 'application/json; charset=utf-16' },
      body: Buffer.from(report, 'utf16le'),
    }),
  ],
  [
    3,
    (report) => ({
      headers: json,
      body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(report)]),
    }),
  ],
  [
    3,
    (report) => ({
      headers: json,
      body: Buffer.from(report.replace('"hostname":"', '"hostname":"\xff\xfe\x80'), 'latin1'),
    }),
  ],
  [3, (_, draw) => ({ headers: json, body: Buffer.from(draw.hex(2_000), 'hex'), mustBeRefused: true })],
  // Each body is created once: the first one takes a second.
  [2, (_, draw) => ({ headers: packed, body: draw.pick([zeros, spaces, longList])(), mustBeRefused: true })],
  [1, () => ({ headers: json, body: tooLarge(), mustBeRefused: true })],
]

const cut = (body: Buffer, draw: Dice): Bytes => ({
  headers: packed,
  body: body.subarray(0, draw.int(0, body.length - 9)),
  mustBeRefused: true,
})

/** Changes one byte of the checksum at the end. */
function spoilt(body: Buffer, draw: Dice): Bytes {
  const at = body.length - draw.int(5, 8)
  body[at] = body[at]! ^ 0xff
  return { headers: packed, body, mustBeRefused: true }
}

function once(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined
  return () => (made ??= make())
}

const bombBytes = 64 * 1024 * 1024
const zeros = once(() => gzipSync(Buffer.alloc(bombBytes)))
const spaces = once(() =>
  gzipSync(Buffer.concat([Buffer.from('{"containers":['), Buffer.alloc(bombBytes, ' '), Buffer.from(']}')])),
)
/** Expands again when it is parsed: each of its lists takes several times its two bytes in memory. */
const longList = once(() => gzipSync(Buffer.from(`[${'[],'.repeat(bombBytes / 3)}0]`)))
const tooLarge = once(() => Buffer.from(`{"x":"${'x'.repeat(20 * 1024 * 1024)}"}`))
