import { afterEach, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { load } from './load.ts'

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
afterEach(() => warn.mockClear())

test('hands on the reply', async () => {
  const replies: string[] = []
  load(
    async () => 'reply',
    (reply) => replies.push(reply),
    'failed',
  )
  await vi.waitFor(() => expect(replies).toEqual(['reply']), within(10_000))
})

test('logs a failure', async () => {
  const error = new Error('offline')
  load(
    () => Promise.reject(error),
    () => {},
    'The thing could not be loaded',
  )
  await vi.waitFor(
    () => expect(warn).toHaveBeenCalledWith('The thing could not be loaded', error),
    within(10_000),
  )
})

test('an aborted call logs nothing', async () => {
  const aborted = Promise.withResolvers<never>()
  const stop = load(
    (signal) => {
      signal.addEventListener('abort', () => aborted.reject(new Error('aborted')))
      return aborted.promise
    },
    () => {},
    'failed',
  )
  stop()
  await expect(aborted.promise).rejects.toThrow('aborted')
  await Promise.resolve()
  expect(warn).not.toHaveBeenCalled()
})
