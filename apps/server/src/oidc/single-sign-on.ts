import type { OidcConfig, OidcConfigInput } from '@pulse/contract'
import { type Clock, mayKeepSecret, Secret, secretRefusal } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { TransferPart } from '../export-part.ts'
import { createSettingsDocument, type SettingsEdges } from '../settings-document.ts'
import { isDeepStrictEqual } from 'node:util'
import { createSignal, type OnSignal } from '../signal.ts'
import { oidcDocument, type OidcDocumentEdges } from './document.ts'
import { unusable } from './environment.ts'
import { failureOf } from './failure.ts'
import { knownProvider } from './provider.ts'
import { defaultSettings, mergeSettings, type OidcSettings, settingsProblem, toStored } from './settings.ts'
import { defaultRedirect, type OidcOutcome, signIns } from './sign-in.ts'

/** Single sign-on and its settings. */
export interface OidcArea {
  exportParts: readonly TransferPart[]
  /** Blocks changes of the settings while `job` runs. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored settings again after a write by another process. */
  reload(): Promise<void>
  /** Loads the stored settings and applies the environment; throws StartupError for unusable settings. */
  start(): Promise<void>
  /** The settings changed, so sessions that the old ones admitted must be checked again. */
  onChange: OnSignal
  enabled(): boolean
  /** The single sign-on provider; undefined while single sign-on is off. */
  issuer(): string | undefined
  /** Never includes the secret. */
  config(publicUrl?: string): OidcConfig
  change(input: OidcConfigInput, publicUrl?: string): Promise<OidcConfig>
  status(): OidcStatus
  begin(from: {
    returnTo: string | undefined
    publicUrl: string
  }): Promise<{ authorizationUrl: string; browserKey: string }>
  finish(from: { query: Record<string, string>; browserKey: string | undefined }): Promise<OidcOutcome>
}

export interface OidcStatus {
  oidcEnabled: boolean
  oidcIssuer?: string
  oidcClientId?: string
  oidcLogoutURL?: string
  oidcEnvOverrides?: Record<string, boolean>
}

export interface OidcEdges extends SettingsEdges, OidcDocumentEdges {
  clock: Clock
}

export function createOidc(edges: OidcEdges): OidcArea {
  const { env, clock, log } = edges
  const changed = createSignal()
  const overrides = Object.keys(env.overrides).length > 0 ? env.overrides : undefined
  const visits = signIns(clock)
  let settings = defaultSettings
  let provider = knownProvider(settings, clock)
  const document = createSettingsDocument(oidcDocument(edges), edges)

  function use(next: OidcSettings) {
    settings = next
    provider = knownProvider(next, clock)
    visits.forget()
    // Fetched early, so that the log shows a mistake at once and the status has the sign-out URL.
    if (next.enabled) provider.metadata().catch(reportUnusable)
    if (next.enabled && next.adminGroups.length === 0) reportRoles(next)
  }

  function reportUnusable(error: unknown) {
    const { message: reason } = failureOf(error)
    log.warn({ issuer: settings.issuerUrl, reason }, 'cannot use the single sign-on provider')
  }

  function reportRoles({ everyoneIsAdmin }: OidcSettings) {
    const how = everyoneIsAdmin
      ? 'every single sign-on user is an administrator'
      : 'every single sign-on user is a viewer; set administrator groups, or everyoneIsAdmin'
    log.warn({ everyoneIsAdmin }, how)
  }

  function config(publicUrl = ''): OidcConfig {
    const { clientSecret, ...rest } = settings
    return {
      ...rest,
      clientSecretSet: clientSecret.reveal() !== '',
      defaultRedirect: defaultRedirect(publicUrl),
      ...(overrides && { envOverrides: overrides }),
    }
  }

  function inForce(): OidcSettings {
    const stored = document.current()
    const next = mergeSettings(stored, env.values)
    if (
      env.values.clientSecret ||
      !hasSecret(stored) ||
      mayKeepSecret(destinationOf(stored), destinationOf(next))
    )
      return next
    log.warn(
      { stored: stored.issuerUrl, issuer: next.issuerUrl },
      'the stored client secret belongs to another issuer and is not used; set OIDC_CLIENT_SECRET, or clientSecret in pulse.yaml',
    )
    return { ...next, clientSecret: new Secret('') }
  }

  return {
    exportParts: document.exportParts,
    runExclusive: document.runExclusive,
    async reload() {
      await document.reload()
      const next = inForce()
      if (isDeepStrictEqual(toStored(next), toStored(settings))) return
      use(next)
      changed.emit()
    },
    async start() {
      await document.start()
      const next = inForce()
      const problem = settingsProblem(next)
      if (problem) throw unusable(problem.field, problem.message)
      if (overrides && !next.enabled && env.values.enabled === undefined) {
        log.warn(
          'OIDC_ variables are set, but single sign-on is off: it needs OIDC_ISSUER_URL and OIDC_CLIENT_ID',
        )
      }
      use(next)
    },
    onChange: changed.on,
    enabled: () => settings.enabled,
    issuer: () => (settings.enabled ? settings.issuerUrl : undefined),
    config,
    async change(input, publicUrl) {
      const next = await document.change((settings) => {
        if (overrides) {
          throw new AppError(
            'oidc_locked',
            'Single sign-on is configured by environment variables (OIDC_…) or pulse.yaml. Change it there and restart Pulse.',
          )
        }
        const next = mergeSettings(settings, input)
        const problem = settingsProblem(next)
        if (problem) {
          const { field, message } = problem
          throw new AppError('validation_failed', message, { details: { [field]: message } })
        }
        const isGiven = Boolean(input.clientSecret?.trim() || input.clearClientSecret)
        const secret = { name: 'client secret', isStored: hasSecret(settings), isGiven }
        const refusal = secretRefusal(destinationOf(settings), destinationOf(next), secret)
        if (refusal) {
          const details = { clientSecret: 'Enter the client secret again, or clear it.' }
          throw new AppError('secret_required', refusal, { details })
        }
        return next
      })
      use(next)
      changed.emit()
      log.info({ enabled: next.enabled, issuer: next.issuerUrl }, 'single sign-on settings changed')
      return config(publicUrl)
    },
    status() {
      const { enabled, issuerUrl, clientId, logoutUrl } = settings
      const signOut = enabled && (logoutUrl || provider.endSessionEndpoint())
      return {
        oidcEnabled: enabled,
        ...(issuerUrl && { oidcIssuer: issuerUrl }),
        ...(clientId && { oidcClientId: clientId }),
        ...(signOut && { oidcLogoutURL: signOut }),
        ...(overrides && { oidcEnvOverrides: overrides }),
      }
    },
    async begin(from) {
      if (!settings.enabled) throw new AppError('not_found', 'Single sign-on is not enabled.')
      const inForce = settings
      const metadata = await provider.metadata().catch((error: unknown) => {
        reportUnusable(error)
        throw new AppError('provider_unreachable', 'Failed to start single sign-on. Please try again.')
      })
      return visits.begin(inForce, metadata, from)
    },
    finish: (from) => visits.finish(() => settings, from),
  }
}

const destinationOf = ({ issuerUrl }: OidcSettings) => ({ address: issuerUrl })
const hasSecret = ({ clientSecret }: OidcSettings) => clientSecret.reveal() !== ''
