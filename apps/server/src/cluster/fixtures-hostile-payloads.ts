import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { randomBytes } from 'node:crypto'
import { packed } from './nats/parts.ts'

const text = (value: string) => Buffer.from(value)
const json = (value: unknown) => packed(JSON.stringify(value))

/** What no process sends, by what it is. */
export const payloads: Record<string, Uint8Array> = {
  nothing: text(''),
  noise: randomBytes(2_000),
  zeros: new Uint8Array(500_000),
  NUL: text('\0'),
  'half a text': Buffer.from([0xe2, 0x82]),
  'names of no table': text('stranger __proto__ constructor toString nope'),
  'many names': text(`stranger ${'users '.repeat(5_000)}`),
  'plain JSON': text('{"from":"stranger","event":{"type":"alert"}}'),
  'packed noise': packed(randomBytes(1_000)),
  'packed half JSON': packed('{"a":'),
  null: json(null),
  'a list': json([[[[1]]]]),
  'a deep list': packed(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
  'a prototype': packed('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
  'an unknown event': json({ from: 'stranger', event: { type: 'nope', data: {} } }),
  'an event of wrong types': json({ from: {}, event: { type: 'alert', data: { toString: 1 } } }),
  'a frame of nothing': json({ source: 'x', run: 1, sequence: 'x', records: { guests: 5 } }),
  'a frame of a kind with a long name': json({
    source: 'x',
    run: 'r.1',
    sequence: 1,
    begins: true,
    records: { ['k'.repeat(1_000_000)]: { put: [['y:1', { source: 'y' }]], remove: [] } },
  }),
  'a frame of 10,000 kinds': json({
    source: 'x',
    run: 'r.1',
    sequence: 1,
    begins: true,
    records: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, { put: [], remove: [] }])),
  }),
  'a card of wrong types': text('{"id":{},"site":"main","roles":{"length":-1},"startedAt":"x"}'),
}
/** More than 64 MiB when it is unpacked: once for each subject, because it takes its time. */
export const bomb = packed(new Uint8Array(80 * 1024 * 1024))

const heads: Record<string, Record<string, string>> = {
  'no heads': {},
  'a part of too many': {
    'Pulse-Part': '1',
    'Pulse-Parts': '1000000',
    'Pulse-Call': 'x.1',
    'Pulse-Fence': 'x',
  },
  'parts that are no numbers': { 'Pulse-Part': 'x', 'Pulse-Parts': '-1', 'Pulse-Call': '__proto__' },
  'one whole': {
    'Pulse-Part': '1',
    'Pulse-Parts': '1',
    'Pulse-Call': 'constructor.NaN',
    'Pulse-Question': 'x',
    'Pulse-Fence': `${'0'.repeat(15)}.${'0'.repeat(16)}`,
  },
  'a lead': { 'Pulse-Lead': '__proto__', 'Pulse-Forgotten': '', 'Pulse-Refused': '' },
}

export function headOf(values: Readonly<Record<string, string>>): MsgHdrs | undefined {
  let head: MsgHdrs | undefined
  for (const [name, value] of Object.entries(values)) (head ??= headers()).set(name, value)
  return head
}

/** Headers that no process sends. */
export const hostileHeads = (): (MsgHdrs | undefined)[] => Object.values(heads).map(headOf)
