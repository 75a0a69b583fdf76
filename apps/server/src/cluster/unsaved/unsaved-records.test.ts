import type { StoredMsg } from '@nats-io/jetstream'
import { expect, test } from 'vitest'
import { recordReader, sendRecord, type UnsavedRecord } from './unsaved-records.ts'

const vault = {
  sealBytes: (bytes: Uint8Array, place: string) => Buffer.concat([Buffer.from(`${place}\n`), bytes]),
  openBytes(sealed: Uint8Array, place: string) {
    const at = Buffer.from(sealed).indexOf('\n')
    if (Buffer.from(sealed.subarray(0, at)).toString() !== place) throw new Error('sealed for another place')
    return Buffer.from(sealed.subarray(at + 1))
  },
}
const fence = '000000000000001.0000000000000001'
/** in several parts: random, so that it is not packed */
const large = (number: number): UnsavedRecord => ({
  fence,
  number,
  statements: [
    {
      sql: `statement ${number}`,
      parameters: [
        Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
          .toString('hex')
          .repeat(1),
        ...Array.from({ length: 12 }, () =>
          Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64'),
        ),
      ],
    },
  ],
})

async function partsOf(record: UnsavedRecord): Promise<StoredMsg[]> {
  const parts: StoredMsg[] = []
  const publish = async (_: string, data: unknown, options?: { headers?: unknown }) => {
    parts.push({ data, header: options!.headers } as StoredMsg)
    return { seq: parts.length } as never
  }
  await sendRecord({ publish } as never, vault as never, record, 0)
  return parts
}

test('[N 1] a late part of a record leaves the next one whole', async () => {
  const [one, two] = [await partsOf(large(1)), await partsOf(large(2))]
  expect(Math.min(one.length, two.length)).toBeGreaterThan(1)
  const read = recordReader(
    vault as never,
    { error: (what: unknown) => expect.unreachable(String(what)) } as never,
  )
  const found = [two[0]!, one[1]!, ...two.slice(1)].map(read).filter(Boolean)
  expect(found.map((record) => record!.number)).toEqual([2])
})
