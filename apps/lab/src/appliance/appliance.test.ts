import { expect, test } from 'vitest'
import type { ApiToken } from '../access/accounts.ts'
import type { AskOptions } from '../fixtures-asking.ts'
import { aLab } from '../fixtures.ts'
import { pbsToken } from './fixtures.ts'

async function someAppliances(options: Parameters<typeof aLab>[0] = {}) {
  const { lab, asker } = await aLab({ nodes: 1, guests: 0, pbs: 1, pmg: 1, ...options })
  const [pbs] = lab.pbs
  const [pmg] = lab.pmg
  const signIn = (at: { url: string }, user: string, password: string) =>
    asker.ask(at.url, '/access/ticket', { headers: {}, form: { username: user, password } })
  return {
    lab,
    pbs: pbs!,
    pmg: pmg!,
    signIn,
    askPbs: (path: string, options?: AskOptions) => asker.ask(pbs!.url, path, { headers: {}, ...options }),
    askPmg: (path: string, options?: AskOptions) => asker.ask(pmg!.url, path, { headers: {}, ...options }),
  }
}

test('each has its own address, its default port and a self-signed certificate', async () => {
  const { lab, askPbs, askPmg } = await someAppliances({
    pbs: 3,
    pmg: 2,
    pbsVersion: 'mixed',
    pmgVersion: 'mixed',
  })
  const machines = [...lab.clusters[0]!.nodes, ...lab.pbs, ...lab.pmg]
  expect(new Set(machines.map(({ address }) => address)).size).toBe(6)
  expect(machines.map(({ port }) => port)).toEqual([8006, 8007, 8007, 8007, 8006, 8006])
  expect(lab.pbs.map(({ version }) => version)).toEqual(['4.0', '3.4', '2.4'])
  expect(lab.pmg.map(({ version }) => version)).toEqual(['9.0.6', '8.2.9'])
  expect((await askPbs('/version')).fingerprint).toBe(lab.pbs[0]!.fingerprint)
  expect((await askPmg('/version')).fingerprint).toBe(lab.pmg[0]!.fingerprint)
})

test('the start page names the product without a login', async () => {
  const { askPbs, askPmg } = await someAppliances()
  expect((await askPbs('/', { base: '' })).body).toContain('<title>pbs1 - Proxmox Backup Server</title>')
  expect((await askPmg('/', { base: '' })).body).toContain('<title>pmg1 - Proxmox Mail Gateway</title>')
})

test('[proxmox-api 1.2] a PBS token ends with a colon; the version has two parts', async () => {
  const { pbs, askPbs } = await someAppliances()
  const headers = pbsToken(pbs.credentials)
  expect((await askPbs('/version', { headers })).data).toEqual({
    version: '4.0',
    release: '14',
    repoid: expect.any(String) as string,
  })
  expect((await askPbs('/nodes', { headers })).data).toEqual([{ node: 'pbs1' }])
  const { tokenId, tokenSecret } = pbs.credentials
  const likePve = { authorization: `PBSAPIToken=${tokenId}=${tokenSecret}` }
  expect((await askPbs('/version', { headers: likePve })).status).toBe(401)
})

test('[proxmox-api 0] errors of PBS are plain text with the type JSON', async () => {
  const { pbs, askPbs } = await someAppliances({ authDelayMs: 120 })
  const began = performance.now()
  const refused = await askPbs('/version')
  expect(performance.now() - began).toBeGreaterThan(115)
  expect(refused).toMatchObject({ status: 401, text: 'Unauthorized' })
  expect(refused.headers['content-type']).toBe('application/json')
  expect(refused.body).toBe('authentication failed - no authentication credentials provided.')
  const headers = pbsToken(pbs.credentials)
  expect(await askPbs('/nowhere', { headers })).toMatchObject({
    status: 404,
    body: "Path '/api2/json/nowhere' not found.",
  })
  expect(await askPbs('/version?x=1', { headers })).toMatchObject({
    status: 400,
    body: expect.stringContaining("parameter 'x': schema does not allow additional properties.") as string,
  })
})

test('[proxmox-api 0] without rights PBS answers with empty lists and no error', async () => {
  const { pbs, askPbs } = await someAppliances()
  const asking = (token: ApiToken, path: string) => askPbs(path, { headers: pbsToken(token) })
  expect((await asking(pbs.credentials, '/admin/datastore')).data).toHaveLength(2)
  expect((await asking(pbs.credentials.powerless, '/admin/datastore')).data).toEqual([])
  expect((await asking(pbs.credentials.powerless, '/access/permissions')).data).toEqual({})
  expect((await asking(pbs.credentials, '/access/permissions')).data).toMatchObject({
    '/': { 'Sys.Audit': 1, 'Datastore.Audit': 1 },
  })
  expect((await asking(pbs.credentials.expired, '/version')).status).toBe(401)
})

test('a PBS ticket has its own prefix, and a name without a realm is refused', async () => {
  const { pbs, signIn, askPbs, askPmg } = await someAppliances()
  const { user, password, secondFactor } = pbs.credentials
  const { ticket } = (await signIn(pbs, user, password)).data as { ticket: string }
  expect(ticket).toMatch(/^PBS:root@pam:[0-9A-F]{8}::/)
  const encoded = encodeURIComponent(ticket)
  expect((await askPbs('/version', { headers: { cookie: `PBSAuthCookie=${encoded}` } })).status).toBe(200)
  expect((await askPbs('/version', { headers: { cookie: `PVEAuthCookie=${encoded}` } })).status).toBe(401)
  expect((await askPmg('/version', { headers: { cookie: `PMGAuthCookie=${encoded}` } })).status).toBe(401)
  expect(await signIn(pbs, 'root', password)).toMatchObject({ status: 400 })
  expect(await signIn(pbs, user, 'x')).toMatchObject({ status: 401, body: 'permission check failed.' })
  const challenge = (await signIn(pbs, secondFactor.user, secondFactor.password)).data
  expect(challenge).toMatchObject({ ticket: expect.stringMatching(/^PBS:!tfa!/) as string })
  const domains = (await askPbs('/access/domains')).data as { realm: string }[]
  expect(domains.map(({ realm }) => realm)).toEqual(['pam', 'pbs'])
})

test('[proxmox-api 1.2] PMG has no API tokens, and reports that in its status line', async () => {
  const { askPmg } = await someAppliances()
  const headers = { authorization: 'PMGAPIToken=a@pmg!b:c' }
  expect(await askPmg('/version', { headers })).toMatchObject({
    status: 401,
    text: 'API tokens not implemented',
    body: '',
  })
  expect(await askPmg('/version')).toMatchObject({ status: 401, text: 'No ticket' })
})

test('a PMG ticket grants the rights of its role', async () => {
  const { pmg, signIn, askPmg } = await someAppliances()
  const signedIn = async ({ user, password }: { user: string; password: string }) => {
    const { ticket } = (await signIn(pmg, user, password)).data as { ticket: string }
    return { cookie: `PMGAuthCookie=${encodeURIComponent(ticket)}` }
  }
  const headers = await signedIn(pmg.credentials.auditor)
  expect((await askPmg('/version', { headers })).data).toMatchObject({ version: '9.0.6', release: '9.0' })
  expect((await askPmg('/nodes', { headers })).data).toEqual([{ node: 'pmg1' }])
  const status = '/config/cluster/status'
  expect((await askPmg(status, { headers })).data).toEqual([])
  expect((await askPmg(`${status}?list_single_node=1`, { headers })).data).toMatchObject([{ type: '-' }])
  const helpdesk = await signedIn(pmg.credentials.helpdesk)
  expect((await askPmg(status, { headers: helpdesk })).status).toBe(403)
  expect(await askPmg('/statistics/nothing', { headers })).toMatchObject({ status: 501 })
  expect(await signIn(pmg, 'root@pam', 'x')).toMatchObject({ status: 401, text: 'authentication failure' })
})

test.each([
  ['7', 401],
  ['8', 200],
] as const)('[proxmox-api 1.3] the realms of PMG %s: %i', async (pmgVersion, status) => {
  const { askPmg } = await someAppliances({ pmgVersion })
  expect((await askPmg('/access/auth-realm')).status).toBe(status)
})

test('faults, request counts and outages apply to them too', async () => {
  const { lab, pbs, askPbs, askPmg } = await someAppliances()
  lab.control.addFault({ kind: 'status', status: 503, node: 'pbs1' })
  expect((await askPbs('/version')).status).toBe(503)
  expect((await askPmg('/version')).status).toBe(401)
  expect(lab.requests({ node: 'pbs1', path: '/version' }).total).toBe(1)
  lab.control.clearFaults()

  await lab.control.patchAppliance('pbs1', { online: false })
  expect(lab.pbs[0]!.online).toBe(false)
  await expect(askPbs('/version')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
  const { tokenId } = pbs.credentials
  await lab.control.patchAppliance('pbs1', { online: true, tokens: { [tokenId]: { enabled: false } } })
  const headers = pbsToken(pbs.credentials)
  expect((await askPbs('/version', { headers })).status).toBe(401)
  await lab.control.reset()
  expect((await askPbs('/version', { headers })).status).toBe(200)
  const renewed = await lab.control.renewApplianceCertificate('pmg1')
  expect(lab.pmg[0]!.fingerprint).toBe(renewed)
  await expect(lab.control.patchAppliance('pbs9', {})).rejects.toThrow(
    'no backup server or mail gateway pbs9',
  )
})
