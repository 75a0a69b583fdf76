import { generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { promisify } from 'node:util'
import { bits, integer, objectId, octets, sequence, set, tagged, text, time, yes } from './der.ts'

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

interface Wish {
  subject: Buffer
  nowMs: number
  validDays: number
  extensions: readonly Buffer[]
  /** the certificate itself if absent */
  signer?: Certificate
}

const authoritySubject = nameOf('Proxmox Virtual Environment', 'PVE Cluster Manager CA')

/** The authority that every PVE cluster creates for itself. */
export function createAuthority(nowMs: number): Promise<Certificate> {
  const extensions = [basicConstraints(true)]
  return issue({ subject: authoritySubject, nowMs, validDays: 3650, extensions })
}

/** A member's certificate: its own key, signed by its cluster, valid for two years as in PVE. */
export function createNodeCertificate(
  name: string,
  address: string,
  authority: Certificate,
  nowMs: number,
): Promise<Certificate> {
  const subject = nameOf(`${name}.lab.example`, 'Proxmox Virtual Environment')
  const extensions = leafExtensions(name, address)
  return issue({ subject, nowMs, validDays: 730, extensions, signer: authority })
}

/** Backup servers and mail gateways sign their own certificates. */
export function createSelfSigned(
  name: string,
  address: string,
  organization: string,
  nowMs: number,
): Promise<Certificate> {
  const subject = nameOf(`${name}.lab.example`, organization)
  return issue({ subject, nowMs, validDays: 3650, extensions: leafExtensions(name, address) })
}

const leafExtensions = (name: string, address: string) => [
  basicConstraints(false),
  subjectAltNames(['127.0.0.1', address, 'localhost', name, `${name}.lab.example`]),
]

/** RFC 5280, section 4.1. Our own code: a general library takes ten times as long, and a test's lab has several. */
async function issue({ subject, nowMs, validDays, extensions, signer }: Wish): Promise<Certificate> {
  const notBeforeMs = Math.floor(nowMs / 1000) * 1000 - dayMs
  const notAfterMs = notBeforeMs + validDays * dayMs
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2')) // ecdsa-with-SHA256
  const toBeSigned = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    signer ? authoritySubject : subject,
    sequence(time(notBeforeMs), time(notAfterMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', toBeSigned, signer?.keyPem ?? privateKey)
  const certificate = new X509Certificate(sequence(toBeSigned, algorithm, bits(signature)))
  const { fingerprint256: fingerprint } = certificate
  return { certPem: certificate.toString(), keyPem, fingerprint, notBeforeMs, notAfterMs }
}

function nameOf(commonName: string, organization: string): Buffer {
  const attribute = (id: string, value: string) => set(sequence(objectId(id), text(value)))
  return sequence(attribute('2.5.4.3', commonName), attribute('2.5.4.10', organization))
}

const extension = (id: string, content: Buffer) => sequence(objectId(id), octets(content))

function basicConstraints(isAuthority: boolean): Buffer {
  return extension('2.5.29.19', sequence(...(isAuthority ? [yes] : [])))
}

function subjectAltNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) ? tagged(0x87, addressBytes(name)) : tagged(0x82, Buffer.from(name)),
  )
  return extension('2.5.29.17', sequence(...entries))
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // The URL parser writes an address with hexadecimal groups only.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string) => (part ? part.split(':').map((group) => group.padStart(4, '0')) : [])
  const [before, after] = [groups(head), groups(tail)]
  const zeros = Array<string>(8 - before.length - after.length).fill('0000')
  return Buffer.from([...before, ...zeros, ...after].join(''), 'hex')
}
