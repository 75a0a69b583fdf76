import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { fenceOf, hasUnsavedEngines, notesIn, unsavedProcesses } from '../../testing/unsaved-processes.ts'
import type { Bus } from '../nats/bus.ts'
import { bomb, headOf, hostileHeads, payloads } from '../fixtures-hostile-payloads.ts'
import { unsavedStream, unsavedWrites } from '../nats/subjects.ts'

const found = hasUnsavedEngines()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

/** Places of records: of the process that leads, of one that leads later, and none. */
const places = [
  ...['0', '1', '2', '3', '99', '-1', 'x', '1e999'].map((number) => [fenceOf(1), number]),
  [fenceOf(9), '1'],
  ['9'.repeat(32), '1'],
  ['__proto__', 'NaN'],
]
const parts = [
  ['1', '1'],
  ['1', '2'],
  ['2', '2'],
  ['1', '1000000'],
]
const claimed = places.flatMap(([fence, number]) =>
  parts.map(([part, of]) =>
    headOf({
      'Pulse-Fence': fence!,
      'Pulse-Number': number!,
      'Pulse-Part': part!,
      'Pulse-Parts': of!,
    }),
  ),
)

describe.skipIf(!found)('[N 2] payloads that no process sends, between records for the database', () => {
  const { aProcess, logged, halt, rise } = unsavedProcesses()

  async function publishAll({ nats, manager }: Bus) {
    const { zeros, ...small } = payloads
    for (const head of [...hostileHeads(), ...claimed])
      for (const payload of Object.values(small))
        nats.publish(unsavedWrites, payload, { ...(head && { headers: head }) })
    for (const payload of [zeros!, bomb]) nats.publish(unsavedWrites, payload)
    // what is there already: as it is, as a later record, and as one of a later process
    const { state } = await manager.streams.info(unsavedStream)
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(unsavedStream, { seq })
      if (!message?.header.get('Pulse-Number')) continue
      const { header, data } = message
      for (const [fence, number] of [[], [fenceOf(1), '99'], [fenceOf(9), '1']]) {
        if (fence !== undefined) header.set('Pulse-Fence', fence)
        if (number !== undefined) header.set('Pulse-Number', number)
        nats.publish(unsavedWrites, data, { headers: header })
      }
    }
    await nats.flush()
  }

  test('keep neither these from the database nor the next process from leading', async () => {
    const [a, b] = [await aProcess(), await aProcess()]
    const stranger = b.bus
    await a.lead(fenceOf(1))
    await publishAll(stranger)
    await halt()
    await a.note('a', '1')
    await publishAll(stranger)
    const large = randomBytes(1_000_000).toString('hex')
    await a.note('b', large)
    await a.note('a', '2')
    await publishAll(stranger)
    await a.end()
    await rise()
    await expect.poll(() => notesIn(b.data).catch(() => undefined), limit).toEqual([])
    await b.lead(fenceOf(2))
    expect(await notesIn(b.data)).toEqual(['a 2', `b ${large}`])
    expect(logged.filter((line) => line.includes('no record of this Pulse')).length).toBeGreaterThan(0)
    await b.note('c', '3')
    expect(await notesIn(b.data)).toContain('c 3')
    // the next process does not read them again
    const messages = async () => (await stranger.manager.streams.info(unsavedStream)).state.messages
    await expect.poll(messages, limit).toBe(0)
  })
})
