import { describe, expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

describe('one at a time', () => {
  test('a job begins when the one before it has ended, in the order in which they came', async () => {
    const inTurn = oneAtATime()
    const events: string[] = []
    const first = Promise.withResolvers<void>()
    const job = (name: string, until?: Promise<void>) =>
      inTurn(async () => {
        events.push(`${name} begins`)
        await until
        events.push(`${name} ends`)
        return name
      })
    const all = [job('a', first.promise), job('b'), job('c')]
    await Promise.resolve()
    expect([events, inTurn.size()]).toEqual([['a begins'], 3])
    first.resolve()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(inTurn.size()).toBe(0)
  })

  test('one that fails tells its caller and keeps no other from running', async () => {
    const inTurn = oneAtATime()
    const failed = inTurn(() => Promise.reject(new Error('broken')))
    const thrown = inTurn(() => {
      throw new Error('at once')
    })
    const next = inTurn(async () => 'done')
    await expect(failed).rejects.toThrow('broken')
    await expect(thrown).rejects.toThrow('at once')
    expect(await next).toBe('done')
  })

  test('it is idle when everything has ended, and never because of a failure', async () => {
    const inTurn = oneAtATime()
    await inTurn.idle()
    let isDone = false
    inTurn(() => Promise.reject(new Error('broken'))).catch(() => undefined)
    void inTurn(async () => void (isDone = true))
    await inTurn.idle()
    expect(isDone).toBe(true)
  })
})
