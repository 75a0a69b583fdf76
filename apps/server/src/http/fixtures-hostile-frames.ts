import { deflateRawSync } from 'node:zlib'

export interface HostileFrames {
  name: string
  bytes: Buffer
  /** expected close code of the server */
  code: number
}

interface Head {
  fin?: boolean
  rsv?: number
  opcode?: number
  masked?: boolean
}

/** A client frame with the given defects. */
function frame(
  payload: Buffer | string,
  { fin = true, rsv = 0, opcode = 1, masked = true }: Head = {},
): Buffer {
  const data = Buffer.from(payload)
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode
  const bit = masked ? 0x80 : 0
  const length =
    data.length < 126
      ? Buffer.from([first, bit | data.length])
      : Buffer.from([first, bit | 126, data.length >> 8, data.length & 0xff])
  const mask = Buffer.from([1, 2, 3, 4])
  if (!masked) return Buffer.concat([length, data])
  return Buffer.concat([length, mask, data.map((byte, n) => byte ^ mask[n % 4]!)])
}

/** Announces this length, but sends only a few bytes. */
function announced(bytes: bigint, opcode = 1): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(bytes, 2)
  return Buffer.concat([head, Buffer.alloc(1_000)])
}

const protocolError = 1002
const badText = 1007
const tooMuch = 1008
const tooLarge = 1009

const bomb = deflateRawSync(Buffer.alloc(50_000_000)).subarray(0, 60_000)

export const hostileFrames: HostileFrames[] = [
  { name: 'a frame of 100 MB', bytes: announced(100n * 1024n * 1024n), code: tooLarge },
  { name: 'a binary frame of 4 GB', bytes: announced(4n * 1024n ** 3n, 2), code: tooLarge },
  { name: 'a frame of 2^63 bytes', bytes: announced(2n ** 63n), code: tooLarge },
  { name: 'a frame of 2^53 bytes', bytes: announced(2n ** 53n), code: tooLarge },
  { name: 'a ping of 100 MB', bytes: announced(100n * 1024n * 1024n, 9), code: protocolError },
  { name: 'a message of 70 kB', bytes: announced(70_000n), code: tooLarge },
  { name: 'no mask', bytes: frame('{"type":"ping"}', { masked: false }), code: protocolError },
  ...[1, 2, 4, 7].map((rsv) => ({
    name: `reserved bits ${rsv}`,
    bytes: frame('{"type":"ping"}', { rsv }),
    code: protocolError,
  })),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => ({
    name: `opcode ${opcode}`,
    bytes: frame('x', { opcode }),
    code: protocolError,
  })),
  ...[8, 9, 10].flatMap((opcode) => [
    { name: `opcode ${opcode} in fragments`, bytes: frame('', { opcode, fin: false }), code: protocolError },
    {
      name: `opcode ${opcode} with 126 bytes`,
      bytes: frame('x'.repeat(126), { opcode }),
      code: protocolError,
    },
  ]),
  { name: 'a continuation of nothing', bytes: frame('x', { opcode: 0 }), code: protocolError },
  {
    name: 'a message within another',
    bytes: Buffer.concat([frame('{', { fin: false }), frame('{"type":"ping"}')]),
    code: protocolError,
  },
  { name: 'text that is none', bytes: frame(Buffer.from([0xff, 0xfe, 0xc0, 0x80])), code: badText },
  { name: 'half a surrogate', bytes: frame(Buffer.from([0xed, 0xa0, 0x80])), code: badText },
  ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000].map((code) => ({
    name: `close code ${code}`,
    bytes: frame(Buffer.from([code >> 8, code & 0xff]), { opcode: 8 }),
    code: protocolError,
  })),
  { name: 'half a close code', bytes: frame('x', { opcode: 8 }), code: protocolError },
  {
    name: 'a close reason that is no text',
    bytes: frame(Buffer.from([3, 232, 255, 255]), { opcode: 8 }),
    code: badText,
  },
  {
    name: 'a flood of fragments',
    bytes: Buffer.concat([
      frame('{', { fin: false }),
      ...Array.from({ length: 5_000 }, () => frame('x', { opcode: 0, fin: false })),
    ]),
    code: tooMuch,
  },
  {
    name: 'a flood of empty fragments',
    bytes: Buffer.concat([
      frame('', { fin: false }),
      ...Array.from({ length: 5_000 }, () => frame('', { opcode: 0, fin: false })),
    ]),
    code: tooMuch,
  },
  {
    name: 'fragments that are too much together',
    bytes: Buffer.concat([
      frame('x'.repeat(30_000), { fin: false }),
      ...Array.from({ length: 4 }, () => frame('x'.repeat(30_000), { opcode: 0, fin: false })),
    ]),
    code: tooLarge,
  },
  { name: 'a compressed bomb', bytes: frame(bomb, { rsv: 4 }), code: protocolError },
  {
    name: 'a thousand messages',
    bytes: Buffer.concat(Array.from({ length: 1_000 }, () => frame('{"type":"ping"}'))),
    code: tooMuch,
  },
  {
    name: 'a thousand unknown messages',
    bytes: Buffer.concat(Array.from({ length: 1_000 }, () => frame('['.repeat(1_000)))),
    code: tooMuch,
  },
]
