import { setupCodeHeader } from '@pulse/contract'
import { commandLine } from '@pulse/domain'
import { X509Certificate, createHash } from 'node:crypto'
import { scriptUrl, type SetupValues } from './values.ts'

/**
 * The server gets the code in a header, and the script gets it in the environment: URLs end up in the logs of
 * servers and proxies, and arguments in the process list. `printf` is a shell builtin, so it starts no
 * process. No `-L`: curl would send the header to the redirect target.
 */
export function setupCommand(values: SetupValues, code: string): string {
  const header = setupCodeHeader.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())
  const config = commandLine(['printf', `header = "${header}: %s"\\n`, code])
  const fetch = commandLine(['curl', '-fsS', ...tlsWords(values), '-K', '-', scriptUrl(values)])
  return `${config} | ${fetch} | PULSE_SETUP_CODE=${code} bash`
}

/** Without a certificate authority, the host verifies the key itself. */
const tlsWords = ({ tlsPin }: SetupValues): string[] =>
  tlsPin === undefined ? [] : ['--insecure', '--pinnedpubkey', tlsPin]

/** Notes for the user who runs the command. */
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

/** curl's form of a pinned key; undefined when an authority has issued the certificate. */
export function ownKeyPin(tls: { cert: Buffer } | undefined): string | undefined {
  if (!tls) return undefined
  const certificate = new X509Certificate(tls.cert)
  if (!certificate.checkIssued(certificate)) return undefined
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' })
  return `sha256//${createHash('sha256').update(key).digest('base64')}`
}
