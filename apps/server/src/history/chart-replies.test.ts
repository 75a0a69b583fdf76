import { fakeClock } from '@pulse/testkit'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createChartReplies } from './chart-replies.ts'

const get = { method: 'GET' }

async function* numbers(): AsyncGenerator<string, void> {
  yield '['
  for (let n = 0; n < 100; n++) yield `${n},`
  yield '100]'
}

function given() {
  const clock = fakeClock(0)
  return { clock, reply: createChartReplies(clock) }
}

test('an answer in parts is whole', async () => {
  const { reply } = given()
  const answer = JSON.parse(await text((await reply(get, numbers)).open())) as number[]
  expect(answer).toEqual(Array.from({ length: 101 }, (_, n) => n))
})

test('[M 4] callers that take nothing hold eight answers, and make room for others after half a minute', async () => {
  const { clock, reply } = given()
  const stalled = []
  for (let n = 0; n < 8; n++) stalled.push((await reply(get, numbers)).open())
  await expect(reply(get, numbers)).rejects.toMatchObject({ code: 'history_unavailable' })
  await clock.advance(30_000)
  expect(await text((await reply(get, numbers)).open())).toMatch(/100\]$/)
  expect(stalled.map(({ destroyed }) => destroyed)).toEqual([true, ...Array<boolean>(7).fill(false)])
})

test('[M 4] an answer that was read, was refused or has lost its caller makes room at once', async () => {
  const { reply } = given()
  async function* broken(): AsyncGenerator<string, void> {
    yield '['
    throw new Error('broken')
  }
  for (let n = 0; n < 20; n++) {
    await text((await reply(get, numbers)).open())
    await expect(reply(get, broken)).rejects.toThrow('broken')
    const left = (await reply(get, numbers)).open()
    left.destroy()
    await new Promise((done) => left.once('close', done))
    await reply({ method: 'HEAD' }, numbers)
  }
})
