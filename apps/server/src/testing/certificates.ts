import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const openssl = '/usr/bin/openssl'

export const hasOpenssl = (): boolean => fs.existsSync(openssl)

export interface Authority {
  /** its certificate as a PEM file */
  file: string
  /** Certificate and key for these names, such as `IP:127.0.0.1`, for servers and clients. */
  sign(name: string, subjectAltName: string): { cert: string; key: string }
}

/** An authority of its own, whose files are in the folder. */
export function makeAuthority(folder: string, name: string): Authority {
  const at = (file: string) => path.join(folder, file)
  const file = at(`${name}.pem`)
  const authorityKey = at(`${name}-key.pem`)
  const request = (subject: string, ...more: string[]) =>
    execFileSync(
      openssl,
      [
        ...'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj'.split(' '),
        `/CN=${subject}`,
        ...more,
      ],
      { stdio: 'ignore' },
    )
  request(name, '-x509', '-days', '2', '-keyout', authorityKey, '-out', file)
  return {
    file,
    sign(subject, subjectAltName) {
      const [cert, key, asked, names] = ['pem', 'key', 'csr', 'ext'].map((end) =>
        at(`${subject}.${end}`),
      ) as [string, string, string, string]
      request(subject, '-keyout', key, '-out', asked)
      fs.writeFileSync(names, `subjectAltName=${subjectAltName}\n`)
      const words = ['x509', '-req', '-days', '1', '-CAcreateserial', '-in', asked, '-out', cert]
      const by = ['-CA', file, '-CAkey', authorityKey, '-extfile', names]
      execFileSync(openssl, [...words, ...by], { stdio: 'ignore' })
      return { cert, key }
    },
  }
}

/** Files with a certificate that is its own authority, for a name such as `IP:127.0.0.1`. */
export function certificateFor(folder: string, name: string): { cert: string; key: string } {
  const [cert, key] = ['cert', 'key'].map((what) => path.join(folder, `${what} ${name}.pem`)) as [
    string,
    string,
  ]
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=nats'.split(' ')
  spawnSync(openssl, [...words, '-addext', `subjectAltName=${name}`, '-keyout', key, '-out', cert])
  return { cert, key }
}
