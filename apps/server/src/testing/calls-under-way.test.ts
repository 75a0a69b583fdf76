import { acceleratedClock } from '@pulse/testkit'
import { generateKeyPairSync, randomBytes, scrypt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test, type TestContext } from 'vitest'
import { passingBetweenCalls } from './calls-under-way.ts'

const hash = promisify<string, string, number, object, Buffer>(scrypt)
const dayMs = 86_400_000

/** Resolves at the end of the work, or at its time limit in a clock that may leap. */
async function within(context: TestContext, work?: () => Promise<unknown>) {
  const passing = passingBetweenCalls(context, new Set(), () => true)
  const clock = acceleratedClock(1, 0, passing)
  const limit = new Promise((resolve) => void clock.after(dayMs, () => resolve('given up')))
  return Promise.race([limit, ...(work ? [work().then(() => 'done')] : [])])
}

test.for([
  ['hashing', () => hash('password', 'salt', 64, { N: 2 ** 16, maxmem: 2 ** 27 })],
  ['files', () => Promise.all(Array.from({ length: 20 }, () => readFile('/proc/self/smaps')))],
  ['the name of a host', () => lookup('localhost')],
] as const)('no limit passes while others work for the thread: %s', async ([_what, work], context) => {
  expect(await within(context, work)).toBe('done')
})

test('no limit passes while a thread of its own works', async (context) => {
  const source = `
    const { parentPort } = require('node:worker_threads')
    parentPort.once('message', () => {
      for (let n = 0; n < 3e8; n++);
      parentPort.postMessage('answer')
    })`
  const worker = new Worker(source, { eval: true })
  await once(worker, 'online')
  const answer = async () => {
    worker.postMessage('question')
    await once(worker, 'message')
  }
  expect(await within(context, answer)).toBe('done')
  await worker.terminate()
})

test('it leaps where nothing is under way', async (context) => {
  expect(await within(context)).toBe('given up')
})

test('nor does it wait for what was done at once: keys, random bytes', async (context) => {
  const passing = passingBetweenCalls(context, new Set(), () => true)
  const clock = acceleratedClock(1, 0, passing)
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
  randomBytes(8)
  await new Promise<void>((resolve) => void clock.after(dayMs, resolve))
  expect(clock.monotonic()).toBeGreaterThanOrEqual(dayMs)
})
