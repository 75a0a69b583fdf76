import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const openssl = '/usr/bin/openssl'

export const hasOpenssl = (): boolean => fs.existsSync(openssl)

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
