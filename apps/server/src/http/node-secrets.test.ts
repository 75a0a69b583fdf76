import { describe, expect, test } from 'vitest'
import { readFiles } from '../testing/files.ts'
import { nodesOfLab } from './fixtures-nodes.ts'

const given = nodesOfLab()
const { call, nodes, until, pbsInput, pmgInput, added, refused } = given

test('[spec 2 §4] an edited form is tested with the stored secret, where that was meant to go', async () => {
  const id = await added(pbsInput())
  const { tokenValue: _, ...form } = pbsInput({ name: 'renamed' })
  expect((await call('POST', '/test-connection', { ...form, id })).body).toMatchObject({
    status: 'success',
  })
  expect((await nodes())[0]!.name).toBe('vault')
})

test('[spec 2 §4] a stored secret is not sent to another host, nor past another certificate check', async () => {
  const id = await added(pbsInput())
  const { tokenValue: _, fingerprint: __, ...form } = pbsInput()
  const [, second] = given.lab.pbs
  for (const change of [
    { host: second!.url },
    { host: second!.url, fingerprint: second!.fingerprint },
    { fingerprint: second!.fingerprint },
    { verifySSL: false },
    { fingerprint: '' },
  ]) {
    for (const [method, where, body] of [
      ['POST', '/test-connection', { ...form, ...change, id }],
      ['PUT', `/${id}`, { ...form, ...change }],
      ['PUT', `/${id}`, { ...change, tokenValue: '', password: '' }],
    ] as const) {
      const { error, code, details } = await refused(method, where, body)
      expect(error).toContain('Enter the token value again')
      expect({ code, fields: Object.keys(details ?? {}) }).toEqual({
        code: 'secret_required',
        fields: ['tokenValue'],
      })
    }
  }
  expect((await nodes())[0]).toMatchObject({ host: pbsInput().host, fingerprint: pbsInput().fingerprint })
  expect(given.lab.requests({ node: 'pbs2' }).total).toBe(0)
  const typed = { ...form, host: second!.url, fingerprint: second!.fingerprint, tokenValue: 'typed', id }
  expect((await refused('POST', '/test-connection', typed)).error).toMatch(/check token ID and secret/)
})

describe('[S22] where a secret goes is recorded when it changes', () => {
  type Recorded = { success: boolean; target: string; details?: string }
  const recorded = async () =>
    (
      (await given.server.call('GET', '/api/security/audit?event=node_changed&limit=1')).body as {
        events: Recorded[]
      }
    ).events[0]

  test('old and new host, and the attempt that was refused', async () => {
    const id = await added(pbsInput({ name: 'moving' }))
    const [first, second] = given.lab.pbs
    const move = `address from ${first!.url} to ${second!.url}`
    await refused('PUT', `/${id}`, { host: second!.url })
    expect(await recorded()).toMatchObject({
      success: false,
      target: 'moving',
      details: expect.stringContaining(move) as string,
    })
    const { url: host, fingerprint, credentials } = second!
    const moved = { host, fingerprint, tokenName: credentials.tokenId, tokenValue: credentials.tokenSecret }
    expect((await call('PUT', `/${id}`, moved)).status).toBe(200)
    const record = await recorded()
    expect(record).toMatchObject({ success: true, target: 'moving' })
    expect(record!.details).toContain(`${move}, certificate check from the certificate `)
    expect((await call('PUT', `/${id}`, { name: 'renamed' })).status).toBe(200)
    expect(await recorded()).toMatchObject({ target: 'renamed' })
    expect((await recorded())!.details ?? '').not.toContain('address')
  })
})

const both = [
  ['pbs', pbsInput],
  ['pmg', pmgInput],
] as const
test.each(both)('[S16] %s: its secret is in no answer, log line or file', async (_type, input) => {
  const id = await added(input())
  await until(async () => expect((await nodes())[0]!.status).toBe('connected'))
  await call('POST', `/${id}/test`)
  await call('POST', '/test-connection', input())
  const secret = (input().tokenValue ?? input().password)!
  for (const where of ['/api/config/nodes', '/api/state', '/api/performance']) {
    expect((await given.server.call('GET', where)).text).not.toContain(secret)
  }
  expect(given.server.logLines.join('')).not.toContain(secret)
  for (const { name, text } of readFiles(given.server.dataDir))
    expect(text.includes(secret), name).toBe(false)
})
