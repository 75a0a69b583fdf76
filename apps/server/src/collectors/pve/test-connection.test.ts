import { Secret } from '@pulse/domain'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const otherPin = 'ab'.repeat(32)

test.concurrent('a cluster is detected', async (context) => {
  const { lab, test: testConnection } = await given(context, { nodes: 3, guests: 3, version: '8' })
  expect(await testConnection()).toEqual({
    status: 'success',
    message: 'Cluster detected! All cluster nodes will be automatically added.',
    name: lab.clusters[0]!.nodes[0]!.name,
    isCluster: true,
    clusterName: lab.clusters[0]!.name,
    nodeCount: 3,
    clusterNodeCount: 3,
    version: lab.clusters[0]!.version,
    release: '8.4',
    latency: expect.any(Number) as number,
    fingerprint: lab.clusters[0]!.nodes[0]!.fingerprint,
  })
})

test.concurrent('a standalone host, trusted by nothing, shows its certificate', async (context) => {
  const {
    lab,
    connection,
    test: testConnection,
  } = await given(context, { standalone: true, nodes: 1, guests: 1 })
  const { fingerprint: _, ...unpinned } = { ...connection, verifySSL: false }
  expect(await testConnection({ ...unpinned, fingerprint: '' })).toMatchObject({
    status: 'success',
    message: 'Connection successful',
    name: lab.clusters[0]!.nodes[0]!.name,
    isCluster: false,
    nodeCount: 1,
    fingerprint: lab.clusters[0]!.nodes[0]!.fingerprint,
  })
})

test.concurrent('[facts 1.2] missing rights are warned of, each with what stays dark', async (context) => {
  const { lab, test: testConnection } = await given(context, { nodes: 1, guests: 1 })
  const as = ({ tokenId, tokenSecret }: { tokenId: string; tokenSecret: string }) =>
    testConnection({ auth: { type: 'token', tokenId, secret: new Secret(tokenSecret) } })
  const powerless = await as(lab.credentials.powerless)
  expect(powerless.status).toBe('success')
  expect(powerless.warnings!.join('\n')).toMatch(/VM\.Audit.*guests will not appear/)
  expect(powerless.warnings!.join('\n')).toMatch(/storage will not appear/)
  const auditor = await as(lab.credentials.auditor)
  expect(auditor.warnings!.join('\n')).toMatch(/disk usage, addresses and operating system/)
  expect(auditor.warnings!.join('\n')).not.toMatch(/guests will not appear/)
})

test.concurrent(
  '[S18] a wrong fingerprint is refused, and the right one is shown to compare',
  async (context) => {
    const { lab, test: testConnection } = await given(context, { nodes: 1, guests: 1 })
    const result = await testConnection({ fingerprint: otherPin })
    expect(result).toEqual({
      status: 'error',
      untrusted: true,
      message: expect.stringMatching(/certificate fingerprint does not match: expected AB:AB/) as string,
      fingerprint: lab.clusters[0]!.nodes[0]!.fingerprint,
    })
    expect(lab.requests().total).toBe(0)
  },
)

test.concurrent('what went wrong is said shortly, and without the secret', async (context) => {
  const {
    lab,
    connection,
    clock,
    logLines,
    test: testConnection,
  } = await given(context, { nodes: 1, guests: 1 })
  const { tokenId, secondFactor, expired } = { ...lab.credentials, ...lab.credentials }
  const secret = new Secret('canary-51d0')
  const results = {
    token: await testConnection({ auth: { type: 'token', tokenId, secret } }),
    expired: await testConnection({
      auth: { type: 'token', tokenId: expired.tokenId, secret: new Secret(expired.tokenSecret) },
    }),
    password: await testConnection({ auth: { type: 'password', user: 'root', password: secret } }),
    secondFactor: await testConnection({
      auth: { type: 'password', user: secondFactor.user, password: new Secret(secondFactor.password) },
    }),
    refused: await testConnection({ host: 'https://127.255.255.254:8006' }),
    selfSigned: await testConnection({ ...connection, fingerprint: '', verifySSL: true }),
  }
  expect(Object.fromEntries(Object.entries(results).map(([name, { message }]) => [name, message]))).toEqual({
    token: 'Authentication failed: check token ID and secret',
    expired: 'Authentication failed: check token ID and secret',
    password: 'Authentication failed: check user name, realm and password',
    secondFactor: expect.stringContaining('two-factor authentication is enabled') as string,
    refused: '127.255.255.254:8006: connection refused; check address and port',
    selfSigned: expect.stringContaining('enter its fingerprint to trust it') as string,
  })
  for (const { status } of Object.values(results)) expect(status).toBe('error')
  expect(results.selfSigned.fingerprint).toBe(lab.clusters[0]!.nodes[0]!.fingerprint)
  expect(JSON.stringify(results) + logLines.join('')).not.toContain('canary')

  lab.control.addFault({ kind: 'html', path: '/version' })
  expect((await testConnection()).message).toMatch(/a web page came back/)
  lab.control.clearFaults()
  lab.control.addFault({ kind: 'hang' })
  const startedAt = clock.now()
  expect((await testConnection()).message).toMatch(/no answer/)
  expect(clock.now() - startedAt).toBeLessThan(14_000)
})

test.concurrent.for([
  ['403', 403, true, undefined],
  ['501', 501, true, false],
  ['403', 403, false, true],
] as const)(
  '[facts 1.4] %s on the question after a cluster is no answer to it',
  async ([, status, isStandalone, isCluster], context) => {
    const { lab, test: testConnection } = await given(context, {
      standalone: isStandalone,
      nodes: isStandalone ? 1 : 2,
      guests: 1,
    })
    lab.control.addFault({ kind: 'status', status, path: '/cluster/status' })
    const result = await testConnection()
    expect(result.status).toBe('success')
    expect(result.isCluster).toBe(isCluster)
    expect(result).not.toHaveProperty('clusterName')
  },
)
