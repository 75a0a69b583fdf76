import { Secret } from '@pulse/domain'
import { startAppriseSink } from '@pulse/lab'
import { describe, expect, test } from 'vitest'
import { aNotice, apprise, keep, many, never, reasonOf, sendersFor } from '../fixtures.ts'

describe('an Apprise server', () => {
  const http = (origin: string, change = {}) => apprise({ mode: 'http', serverUrl: origin, ...change })
  const send = (settings: ReturnType<typeof apprise>, notice = aNotice()) =>
    sendersFor().apprise.send(settings, notice, never)

  test('gets the targets or the configuration key, and the API key in its header', async () => {
    const sink = keep(await startAppriseSink({ keys: ['ops'], apiKey: 'canary-key' }))
    const apiKey = new Secret('canary-key')
    expect(await send(http(`${sink.origin}/`, { apiKey, targets: ['json://a', 'json://b'] }))).toMatchObject({
      delivered: true,
      status: 200,
    })
    expect(
      await send(
        http(sink.origin, { apiKey, configKey: 'ops' }),
        aNotice({ kind: 'resolved', alerts: many(3) }),
      ),
    ).toMatchObject({ delivered: true })
    expect(sink.received().map(({ key, json }) => [key, json['urls'], json['type'], json['title']])).toEqual([
      ['', 'json://a,json://b', 'failure', 'Critical: CPU on web-1'],
      ['ops', undefined, 'success', '3 alerts resolved'],
    ])
  })

  test('reports problems by field', async () => {
    const sink = keep(await startAppriseSink({ keys: [], apiKey: 'right' }))
    expect(reasonOf(await send(http(sink.origin)))).toMatch(/did not accept the API key \(401\)/)
    const apiKey = new Secret('right')
    expect(await send(http(sink.origin, { apiKey, configKey: 'gone' }))).toMatchObject({
      delivered: false,
      retry: 'never',
      status: 204,
    })
    sink.behave({ kind: 'status', status: 424, body: 'json://canary-token/ failed' })
    const partly = await send(http(sink.origin, { apiKey, targets: ['json://canary-token/'] }))
    expect(partly).toMatchObject({ delivered: false, retry: 'later' })
    expect(JSON.stringify(partly)).not.toContain('canary')
    sink.behave({ kind: 'reset' })
    expect(reasonOf(await send(http(sink.origin, { apiKey })))).toMatch(
      /Check the address of the Apprise server/,
    )
  })

  test('needs an address that may be called, and something to notify', () => {
    const { apprise: sender } = sendersFor({ allowed: [] })
    expect(sender.problems(http('http://127.0.0.1:8000'))['serverUrl']).toMatch(/is this machine itself/)
    expect(sender.problems(http('http://user:secret@apprise.lan'))['serverUrl']).toMatch(
      /user name or password/,
    )
    expect(sender.problems(http('', { targets: [] }))).toEqual({
      serverUrl: expect.any(String),
      targets: expect.any(String),
    })
    expect(sender.problems(http('http://apprise.lan', { configKey: '../x' }))['configKey']).toBeDefined()
    expect(sender.problems(http('http://apprise.lan:8000', { configKey: 'ops', targets: [] }))).toEqual({})
  })
})
