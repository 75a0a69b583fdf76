import { expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'

const options = { nodes: 1, guests: 0, dockerHosts: 2, now: () => Date.parse('2026-07-01T12:00:00Z') }

async function aContainerHost() {
  const { lab } = await aLab(options)
  const { control, controlUrl } = lab
  const containers = (host: string) => control.dockerReport(host).containers
  const web = () => containers('dock1').find(({ name }) => name === 'shop-web-1')!
  return { lab, control, controlUrl, containers, web }
}

test('a pinned value appears in the next report, until it is released', async () => {
  const { control, web } = await aContainerHost()
  const drawn = web()
  const pinned = { cpuPercent: 250, memoryUsageBytes: 12_345, labels: { a: 'b' } }
  control.patchDockerHost('dock1', { containers: { 'shop-web-1': pinned } })
  expect(web()).toMatchObject(pinned)
  const free = { cpuPercent: null, memoryUsageBytes: null, labels: null }
  control.patchDockerHost('dock1', { containers: { 'shop-web-1': free } })
  expect(web()).toEqual(drawn)
})

test('a container ends, and runs again', async () => {
  const { control, web } = await aContainerHost()
  control.patchDockerHost('dock1', { containers: { 'shop-web-1': { fate: 'oom-killed' } } })
  expect(web()).toMatchObject({
    state: 'exited',
    exitCode: 137,
    status: 'Exited (137) Less than a second ago',
  })
  await control.reset()
  expect(web()).toMatchObject({ state: 'running', exitCode: 0 })
})

test('a limited number of reports has no containers, later ones are as usual', async () => {
  const { control, containers } = await aContainerHost()
  control.reportTo({ url: 'http://127.0.0.1:9', token: 'x', intervalSeconds: 0 })
  control.patchDockerHost('dock2', { emptyReports: 1 })
  expect(containers('dock2')).toEqual([])
  await control.sendDockerReports('dock2')
  expect(containers('dock2')).toHaveLength(12)
})

test.each([
  { patch: { online: 'no' }, message: 'container host.online must be true or false' },
  { patch: { identityOf: 'dock7' }, message: 'no container host dock7' },
  { patch: { containers: { web: {} } }, message: 'no container web on dock1; there is shop-web-1' },
  { patch: { containers: { gitea: { fate: 'x' } } }, message: 'container.fate must be one of runs,' },
  { patch: { colour: 1 }, message: 'container host has no field colour' },
])('$patch: $message', async ({ patch, message }) => {
  const { control } = await aContainerHost()
  expect(() => control.patchDockerHost('dock1', patch as never)).toThrow(message)
})

test('the same over HTTP', async () => {
  const { controlUrl } = await aContainerHost()
  const ask = async (method: string, path: string, body?: unknown) => {
    const init = {
      method,
      headers: { 'X-Lab-Control': '1' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    return (await fetch(controlUrl + path, init)).json()
  }
  expect(await ask('GET', '/docker')).toMatchObject([{ name: 'dock1', containers: 12 }, { name: 'dock2' }])
  expect(await ask('PATCH', '/docker/dock1', { containerCount: 30 })).toEqual({ ok: true })
  expect(await ask('GET', '/docker/dock1/report')).toMatchObject({ containers: { length: 30 } })
  expect(await ask('POST', '/docker', { url: 'http://127.0.0.1:9', token: 'x', intervalSeconds: 0 })).toEqual(
    { ok: true },
  )
  expect(await ask('POST', '/docker/dock1/report')).toMatchObject([
    { error: expect.stringContaining('ECONNREFUSED') },
  ])
  expect(await ask('POST', '/docker', { url: 'http://192.0.2.1' })).toEqual({
    error: 'target.url must be a loopback address, not http://192.0.2.1',
  })
})
