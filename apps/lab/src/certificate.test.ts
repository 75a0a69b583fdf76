import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAuthority, createNodeCertificate, createSelfSigned } from './certificate.ts'

const now = Date.UTC(2026, 0, 1, 12)

test("a member's certificate is signed by its cluster, for its addresses and names, and for two years", async () => {
  const authority = await createAuthority(now)
  const made = await createNodeCertificate('pve1', '127.0.0.9', authority, now)
  const [issuer, leaf] = [new X509Certificate(authority.certPem), new X509Certificate(made.certPem)]
  expect(issuer.ca).toBe(true)
  expect(leaf.ca).toBe(false)
  expect(leaf.checkIssued(issuer)).toBe(true)
  expect(leaf.verify(issuer.publicKey)).toBe(true)
  expect(leaf.subject).toBe('CN=pve1.lab.example\nO=Proxmox Virtual Environment')
  for (const address of ['127.0.0.1', '127.0.0.9']) expect(leaf.checkIP(address)).toBe(address)
  for (const name of ['localhost', 'pve1', 'pve1.lab.example']) expect(leaf.checkHost(name)).toBe(name)
  expect(leaf.checkHost('pve2')).toBeUndefined()
  expect(leaf.validFromDate).toEqual(new Date(now - 86_400_000))
  expect(leaf.validToDate).toEqual(new Date(now + 729 * 86_400_000))
  expect(made.fingerprint).toBe(leaf.fingerprint256)
})

test.each(['::1', 'fd00::7:0:1', '2001:db8:1:2:3:4:5:6', '::ffff:127.0.0.3'])(
  'a certificate for %s, that signs itself',
  async (address) => {
    const leaf = new X509Certificate((await createSelfSigned('pbs1', address, 'Backup', now)).certPem)
    expect(leaf.verify(leaf.publicKey)).toBe(true)
    expect(leaf.checkIP(address)).toBe(address)
  },
)

test('one that ends after 2049 says so with four digits', async () => {
  const { certPem, notAfterMs } = await createAuthority(Date.UTC(2049, 5, 1))
  expect(new X509Certificate(certPem).validToDate).toEqual(new Date(notAfterMs))
})

test('no two are alike', async () => {
  const made = await Promise.all([1, 2, 3].map(() => createSelfSigned('pmg1', '127.0.0.9', 'Mail', now)))
  expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(3)
})
