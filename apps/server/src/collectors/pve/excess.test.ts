import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

test('[S13] a source says how many of its guests there is no room for, in its state and once in the log', async (context) => {
  const { lab, start, until, state, records, logLines } = await given(context, {
    nodes: 1,
    guests: 12,
    mostGuests: 8,
  })
  start()
  await until('what is left out is said', () => state().error !== undefined)
  expect(state()).toMatchObject({ health: 'healthy' })
  expect(state().error).toMatch(/^8 of \d+ guests are shown, which is the limit of one connection$/)
  expect(records('guests')).toHaveLength(8)
  lab.control.resetRequests()
  await until('two more listings', () => lab.requests({ path: '/cluster/resources' }).total >= 2)
  expect(logLines.filter((line) => line.includes('guests are shown'))).toHaveLength(1)
})
