import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { someAgents } from './fixtures.ts'

const stop = { success: true, hostId: 'x', commands: [{ id: 'c1', type: 'stop' }] }

test('[collection 3.1] the v4 agent sends its token twice, uncompressed JSON, and its name', async () => {
  const { control, receiver } = await someAgents({ dockerAgents: 'original' })
  const [sent] = await control.sendDockerReports('dock1')
  expect(sent).toMatchObject({ host: 'dock1', status: 200 })
  const [{ method, path, headers, body, rawHeaders }] = receiver.asked as [(typeof receiver.asked)[0]]
  expect([method, path]).toEqual(['POST', '/api/agents/docker/report'])
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-api-token': 'secret',
    authorization: 'Bearer secret',
    'user-agent': 'pulse-docker-agent/v4.25.0',
  })
  expect(headers).not.toHaveProperty('content-encoding')
  expect(rawHeaders).toContain('X-Api-Token')
  expect(JSON.parse(body.toString())).toEqual(control.dockerReport('dock1'))
})

test('ours compresses its reports and sends its version', async () => {
  const { control, receiver } = await someAgents({ dockerAgents: 'own' })
  control.reportTo({ url: receiver.url, token: 'secret', version: '7.7.7', intervalSeconds: 0 })
  await control.sendDockerReports('dock2')
  const [{ headers, body }] = receiver.asked as [(typeof receiver.asked)[0]]
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'user-agent': 'pulse-agent/7.7.7' })
  expect(headers).not.toHaveProperty('x-api-token')
  expect(JSON.parse(gunzipSync(body).toString())).toMatchObject({ agent: { version: '7.7.7' } })
})

test('hosts without a token do not report, and neither does one that is off', async () => {
  const { control, receiver } = await someAgents()
  control.reportTo({ url: receiver.url, tokens: { dock2: 'own' }, intervalSeconds: 0 })
  expect(await control.sendDockerReports()).toMatchObject([{ host: 'dock2' }])
  control.patchDockerHost('dock2', { online: false })
  expect(await control.sendDockerReports()).toEqual([])
})

test.each([
  { dockerAgents: 'own', acks: ['acknowledged', 'completed'] },
  { dockerAgents: 'original', acks: ['completed'] },
] as const)(
  '[collection 3.6] on a stop command the agent ($dockerAgents) reports $acks and exits',
  async (given) => {
    const { lab, control, receiver } = await someAgents({ dockerAgents: given.dockerAgents })
    receiver.answer.body = stop
    expect(await control.sendDockerReports('dock1')).toMatchObject([{ commands: ['stop'] }])
    const acks = receiver.asked.slice(1)
    expect(acks.map(({ path }) => path)).toEqual(given.acks.map(() => '/api/agents/docker/commands/c1/ack'))
    expect(acks.map(({ body }) => (JSON.parse(body.toString()) as { status: string }).status)).toEqual(
      given.acks,
    )
    expect(lab.docker[0]!.isStopped).toBe(true)
    expect(await control.sendDockerReports('dock1')).toEqual([])
    control.patchDockerHost('dock1', { agent: 'running' })
    expect(await control.sendDockerReports('dock1')).toHaveLength(1)
  },
)

test('a repeated command is not executed again; a failed one is reported', async () => {
  const { lab, control, receiver } = await someAgents({ dockerHosts: 1 })
  await control.play('stop-fails')
  receiver.answer.body = stop
  await control.sendDockerReports()
  await control.sendDockerReports()
  const acks = receiver.asked.filter(({ path }) => path.endsWith('/ack'))
  expect(acks).toHaveLength(1)
  expect(JSON.parse(acks[0]!.body.toString())).toMatchObject({
    status: 'failed',
    message: expect.any(String),
  })
  expect(lab.docker[0]!.isStopped).toBe(false)
})

test('without a server the report counts as unanswered, and the next one is sent as usual', async () => {
  const { lab, control, receiver } = await someAgents({ dockerHosts: 1 })
  const { url } = receiver
  control.reportTo({ url: 'http://127.0.0.1:9', token: 'secret', intervalSeconds: 0 })
  expect(await control.sendDockerReports()).toMatchObject([
    { error: expect.stringContaining('ECONNREFUSED') },
  ])
  control.reportTo({ url, token: 'secret', intervalSeconds: 0 })
  await control.sendDockerReports()
  expect(lab.docker[0]!.answers).toEqual({ none: 1, 200: 1 })
})

test('in time every agent reports at its interval; ours waits as long as the server asks', async () => {
  const { lab, control, receiver } = await someAgents()
  receiver.answer = { status: 503, headers: { 'Retry-After': '3600' }, body: {} }
  control.reportTo({ url: receiver.url, token: 'secret', intervalSeconds: 0.02 })
  await expect.poll(() => lab.docker[1]!.answers[503]).toBeGreaterThan(3)
  expect(lab.docker.map(({ answers }) => answers[503])).toEqual([1, expect.any(Number)])
})

test('an agent may ask for the version; the v4 agent does not update to `dev`', async () => {
  const { control, receiver } = await someAgents({ dockerAgents: 'original' })
  receiver.answer.body = { version: 'dev' }
  expect(await control.askAgentVersion('dock1')).toEqual({ version: 'dev', replacesItself: false })
  receiver.answer.body = { version: '0.9.0' }
  expect(await control.askAgentVersion('dock1')).toEqual({ version: '0.9.0', replacesItself: true })
  expect(receiver.asked[0]!.path).toBe('/api/agent/version')
})

test('agents report only to loopback addresses, and only of existing hosts', async () => {
  const { control } = await someAgents()
  for (const url of ['http://192.0.2.1:7655', 'http://127.0.0.1.example', 'ftp://127.0.0.1', 'x']) {
    expect(() => control.reportTo({ url, token: 'x' })).toThrow('must be a loopback address')
  }
  expect(() => control.reportTo({ url: 'http://127.0.0.1:9', tokens: { dock9: 'x' } })).toThrow(
    'no container host dock9',
  )
})
