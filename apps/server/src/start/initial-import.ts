import { Secret } from '@pulse/domain'
import path from 'node:path'
import { StartupError } from '../startup-error.ts'

/** An export that is imported into a fresh installation. */
export interface InitialImport {
  /** name of the variable, for messages */
  name: string
  from: { data: Secret } | { file: string }
  passphrase: Secret
}

export function readInitialImport(env: NodeJS.ProcessEnv): InitialImport | undefined {
  const [data, file, url] = ['DATA', 'FILE', 'URL'].map(
    (name) => env[`PULSE_INIT_CONFIG_${name}`]?.trim() || undefined,
  )
  const passphrase = env['PULSE_INIT_CONFIG_PASSPHRASE'] || undefined
  if (url !== undefined) {
    throw new StartupError(
      'PULSE_INIT_CONFIG_URL is set, but Pulse does not fetch its configuration from an address.',
      'Download the export and name it with PULSE_INIT_CONFIG_FILE.',
    )
  }
  if (data === undefined && file === undefined && passphrase === undefined) return undefined
  if ((data === undefined) === (file === undefined) || passphrase === undefined) {
    throw new StartupError(
      'The initial configuration is incomplete.',
      'Set PULSE_INIT_CONFIG_PASSPHRASE and one of PULSE_INIT_CONFIG_DATA and PULSE_INIT_CONFIG_FILE.',
    )
  }
  return {
    name: data === undefined ? 'PULSE_INIT_CONFIG_FILE' : 'PULSE_INIT_CONFIG_DATA',
    from: data === undefined ? { file: path.resolve(file!) } : { data: new Secret(data) },
    passphrase: new Secret(passphrase),
  }
}
