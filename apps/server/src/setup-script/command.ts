import { setupCodeHeader } from '@pulse/contract'
import { commandLine } from '@pulse/domain'
import { X509Certificate, createHash } from 'node:crypto'
import { scriptUrl, type SetupValues } from './values.ts'

/**
 * The code goes in a header to the server and in the environment to the script: addresses end up in the logs of
 * servers and proxies, arguments in the list of processes. `printf` is part of every shell, so it is no process of
 * its own. No `-L`: curl would take the header along to wherever it is sent.
 */
export function setupCommand(values: SetupValues, code: string): string {
  const header = setupCodeHeader.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())
  const config = commandLine(['printf', `header = "${header}: %s"\\n`, code])
  const fetch = commandLine(['curl', '-fsS', ...tlsWords(values), '-K', '-', scriptUrl(values)])
  return `${config} | ${fetch} | PULSE_SETUP_CODE=${code} bash`
}

/** Without an authority that could vouch for it, the key itself is what the host checks. */
const tlsWords = ({ tlsPin }: SetupValues): string[] =>
  tlsPin === undefined ? [] : ['--insecure', '--pinnedpubkey', tlsPin]

/** What the person who runs the command should know. */
export function setupNotes({ type, pulseUrl, backupPerms, tlsPin }: SetupValues): string[] {
  const notes: string[] = []
  if (pulseUrl.startsWith('http://')) {
    notes.push(
      'Pulse uses plain HTTP here: the API token crosses the network unencrypted. Use it on a trusted network, or set up HTTPS.',
    )
  } else if (tlsPin === undefined) {
    notes.push(
      'If curl cannot verify the certificate of Pulse, first set the file of its certificate authority: export CURL_CA_BUNDLE=/path/to/ca.pem',
    )
  } else {
    notes.push('The certificate of Pulse is self-signed. The command accepts only its current public key.')
  }
  if (type === 'pve' && backupPerms) {
    notes.push(
      'To see backups, the account gets the role PVEDatastoreAdmin on /storage. It is the smallest role of Proxmox VE that shows them; it also permits changes to storages.',
    )
  }
  return notes
}

/** curl's form of a pinned key; undefined when an authority stands behind the certificate. */
export function ownKeyPin(tls: { cert: Buffer } | undefined): string | undefined {
  if (!tls) return undefined
  const certificate = new X509Certificate(tls.cert)
  if (!certificate.checkIssued(certificate)) return undefined
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' })
  return `sha256//${createHash('sha256').update(key).digest('base64')}`
}
