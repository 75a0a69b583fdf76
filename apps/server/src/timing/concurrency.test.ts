import { describe, expect, test } from 'vitest'
import { createBoundedQueue, createMutex, idle } from './concurrency.ts'

describe('a mutex', () => {
  test('runs a job when the one before it has ended, in the order of the calls', async () => {
    const mutex = createMutex()
    const events: string[] = []
    const first = Promise.withResolvers<void>()
    const job = (name: string, until?: Promise<void>) =>
      mutex(async () => {
        events.push(`${name} begins`)
        await until
        events.push(`${name} ends`)
        return name
      })
    const all = [job('a', first.promise), job('b'), job('c')]
    await Promise.resolve()
    expect(events).toEqual(['a begins'])
    first.resolve()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  test('a job that fails rejects for its caller and does not stop the next one', async () => {
    const mutex = createMutex()
    const failed = mutex(() => Promise.reject(new Error('broken')))
    const thrown = mutex(() => {
      throw new Error('at once')
    })
    const next = mutex(async () => 'done')
    await expect(failed).rejects.toThrow('broken')
    await expect(thrown).rejects.toThrow('at once')
    expect(await next).toBe('done')
  })

  test('it is idle when every job has ended, and a failure does not make it idle early', async () => {
    const mutex = createMutex()
    await idle(mutex)
    let isDone = false
    mutex(() => Promise.reject(new Error('broken'))).catch(() => undefined)
    void mutex(async () => void (isDone = true))
    await idle(mutex)
    expect(isDone).toBe(true)
  })
})

describe('a bounded queue', () => {
  test('runs as many as allowed, queues as many as allowed, and refuses the next one', async () => {
    const queue = createBoundedQueue({ atOnce: 2, waiting: 1 })
    const end = Promise.withResolvers<void>()
    let running = 0
    const job = async () => {
      running++
      await end.promise
    }
    const accepted = [queue.tryRun(job), queue.tryRun(job), queue.tryRun(job)]
    expect(queue.tryRun(job)).toBeUndefined()
    await Promise.resolve()
    expect([running, queue.isIdle()]).toEqual([2, false])
    end.resolve()
    await Promise.all(accepted)
    expect([running, queue.isIdle()]).toEqual([3, true])
    await expect(queue.tryRun(async () => 'again')).resolves.toBe('again')
  })
})
