import { X509Certificate } from 'node:crypto'
import { generate } from 'selfsigned'

export interface Certificate {
  certPem: string
  keyPem: string
  /** SHA-256 of the leaf, `AA:BB:…`. */
  fingerprint: string
  notBeforeMs: number
  notAfterMs: number
}

/** Until the listeners open. */
export const noCertificate: Certificate = {
  certPem: '',
  keyPem: '',
  fingerprint: '',
  notBeforeMs: 0,
  notAfterMs: 0,
}

const dayMs = 86_400_000

/** The authority that every PVE cluster makes for itself. */
export function createAuthority(nowMs: number): Promise<Certificate> {
  return issue(
    [
      { name: 'commonName', value: 'Proxmox Virtual Environment' },
      { name: 'organizationName', value: 'PVE Cluster Manager CA' },
    ],
    { nowMs, validDays: 3650, extensions: [{ name: 'basicConstraints', cA: true }], signer: undefined },
  )
}

/** A member's certificate: its own key, signed by its cluster, valid for two years as in PVE. */
export function createNodeCertificate(
  name: string,
  address: string,
  authority: Certificate,
  nowMs: number,
): Promise<Certificate> {
  return issue(
    [
      { name: 'commonName', value: `${name}.lab.example` },
      { name: 'organizationName', value: 'Proxmox Virtual Environment' },
    ],
    { nowMs, validDays: 730, extensions: leafExtensions(name, address), signer: authority },
  )
}

/** Backup servers and mail gateways sign their own. */
export function createSelfSigned(
  name: string,
  address: string,
  organization: string,
  nowMs: number,
): Promise<Certificate> {
  return issue(
    [
      { name: 'commonName', value: `${name}.lab.example` },
      { name: 'organizationName', value: organization },
    ],
    { nowMs, validDays: 3650, extensions: leafExtensions(name, address), signer: undefined },
  )
}

const leafExtensions = (name: string, address: string): NonNullable<Options['extensions']> => [
  { name: 'basicConstraints', cA: false },
  {
    name: 'subjectAltName',
    altNames: [
      { type: 7, ip: '127.0.0.1' },
      { type: 7, ip: address },
      { type: 2, value: 'localhost' },
      { type: 2, value: name },
      { type: 2, value: `${name}.lab.example` },
    ],
  },
]

type Options = NonNullable<Parameters<typeof generate>[1]>

async function issue(
  subject: { name: string; value: string }[],
  {
    nowMs,
    validDays,
    extensions,
    signer,
  }: {
    nowMs: number
    validDays: number
    extensions: NonNullable<Options['extensions']>
    signer: Certificate | undefined
  },
): Promise<Certificate> {
  const notBeforeMs = Math.floor(nowMs / 1000) * 1000 - dayMs
  const notAfterMs = notBeforeMs + validDays * dayMs
  const made = await generate(subject, {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(notBeforeMs),
    notAfterDate: new Date(notAfterMs),
    extensions,
    ...(signer && { ca: { key: signer.keyPem, cert: signer.certPem } }),
  })
  const fingerprint = new X509Certificate(made.cert).fingerprint256
  return { certPem: made.cert, keyPem: made.private, fingerprint, notBeforeMs, notAfterMs }
}
