import { describe, expect, test } from 'vitest'
import { anAlert, aNotice, aWebhook, never, sendersFor } from '../fixtures.ts'
import { aServiceSink, send } from './fixtures-sink.ts'

const { now, webhook } = aServiceSink()

describe('custom headers, method and address', () => {
  test('they are sent, but for those with placeholders', async () => {
    const headers = {
      Authorization: 'Bearer canary',
      'X-Later': '{{.Level}}',
      'content-type': 'application/vnd.x+json',
    }
    await send(aWebhook(`${now.sink.origin}/any`, { headers, method: 'PUT' }), aNotice())
    const { headers: sent, method } = now.sink.received()[0]!
    expect(method).toBe('PUT')
    expect(sent).toMatchObject({
      authorization: 'Bearer canary',
      'content-type': 'application/vnd.x+json',
      'user-agent': 'Pulse',
    })
    expect(sent['x-later']).toBeUndefined()
  })

  test('those of the connection itself are refused', () => {
    const headers = { Host: 'elsewhere.test', 'Transfer-Encoding': 'chunked' }
    expect(Object.keys(sendersFor().webhook.problems(aWebhook(now.sink.origin, { headers })))).toEqual([
      'headers.Host',
      'headers.Transfer-Encoding',
    ])
  })

  test('[S10] placeholders in an address are escaped, and never name who is called', async () => {
    const url = `${now.sink.origin}/any/{{.ResourceName}}?level={{.Level}}`
    const notice = aNotice({ alerts: [{ alert: anAlert({ resourceName: '../a b?c#d' }) }] })
    await send(aWebhook(url), notice)
    expect(now.sink.received()[0]!.url.href).toBe(`${now.sink.origin}/any/..%2Fa%20b%3Fc%23d?level=critical`)
    const { url: problem } = sendersFor().webhook.problems(aWebhook('http://{{.ResourceName}}/'))
    expect(problem).toMatch(/must be written out/)
  })

  test('an invalid template is reported with its line, when it is saved and when it is sent', async () => {
    const settings = aWebhook(now.sink.origin, { template: '{\n"a": {{.Nope}}}' })
    expect(sendersFor().webhook.problems(settings)['template']).toMatch(/^Line 2: there is no field \.Nope/)
    expect(await send(settings, aNotice())).toMatchObject({
      delivered: false,
      retry: 'never',
      reason: expect.stringContaining('Line 2'),
    })
  })

  test('[S11] where it may go is decided before and while it is sent', async () => {
    const { webhook: sender } = sendersFor({ allowed: [] })
    expect(sender.problems(webhook('discord'))['url']).toMatch(
      /is this machine itself; an administrator can allow 127\.0\.0\.1:\d+/,
    )
    expect(await sender.send(webhook('discord'), aNotice(), never)).toMatchObject({
      delivered: false,
      retry: 'never',
    })
    expect(now.sink.received()).toEqual([])
  })
})

test('a header that no request could carry is refused before it is stored', () => {
  const { problems } = sendersFor().webhook
  expect(problems(webhook('generic', { headers: { 'X-Team': 'ключ 🔑' } }))).toMatchObject({
    'headers.X-Team': expect.stringContaining('use ASCII'),
  })
  expect(problems(webhook('generic', { headers: { 'X-Team': 'key' } }))).toEqual({})
})
