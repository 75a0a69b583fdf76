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

/** An answer whose parts come when they are released. */
function slow() {
  const waiting: (() => void)[] = []
  async function* parts(): AsyncGenerator<string, void> {
    for (const part of ['[', '1', ',2', ',3', ',4]']) {
      await new Promise<void>((done) => waiting.push(done))
      yield part
    }
  }
  const release = async () => {
    await new Promise((done) => setImmediate(done))
    waiting.shift()?.()
    await new Promise((done) => setImmediate(done))
  }
  return { parts, release }
}

test('[M 4] a caller that waits for the history has not stalled', async () => {
  const { clock, reply } = given()
  const { parts, release } = slow()
  const first = reply(get, parts)
  for (let n = 0; n < 3; n++) await release()
  const answer = text((await first).open())
  for (let n = 0; n < 7; n++) (await reply(get, numbers)).open()
  await clock.advance(20_000)
  // the others have stalled by then; the history takes long for the next part of the first one
  for (let n = 0; n < 2; n++) {
    await clock.advance(20_000)
    void reply(get, numbers).then((one) => one.open())
    await release()
  }
  expect(JSON.parse(await answer)).toEqual([1, 2, 3, 4])
})

test('[M 4] many calls that wait for the history for long are refused, not cut off', async () => {
  const { clock, reply } = given()
  const all = Array.from({ length: 8 }, slow)
  const answers = all.map(({ parts }) => reply(get, parts))
  await clock.advance(60_000)
  await expect(reply(get, numbers)).rejects.toMatchObject({ code: 'history_unavailable' })
  const releaseAll = () => Promise.all(all.map(({ release }) => release()))
  for (let n = 0; n < 3; n++) await releaseAll()
  const texts = answers.map(async (answer) => text((await answer).open()))
  for (let n = 0; n < 2; n++) await releaseAll()
  for (const one of texts) expect(JSON.parse(await one)).toEqual([1, 2, 3, 4])
})

test('[M 4] an answer whose caller left before its first part is refused, not half an object', async () => {
  const { clock, reply } = given()
  const late = await reply(get, numbers)
  for (let n = 0; n < 7; n++) (await reply(get, numbers)).open()
  await clock.advance(30_000)
  await reply(get, numbers)
  expect(() => late.open()).toThrow('Too many calls')
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
