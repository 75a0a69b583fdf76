import { type AppriseConfig, AppriseConfigInput } from '@pulse/contract'
import { leftOut } from '../../../export-part.ts'
import type { SettingsDefinition } from '../../../settings-document.ts'
import { type Destination, fitting, planChannel, shownUrl } from '../import.ts'
import {
  appriseFrom,
  type AppriseSettings,
  maskedTarget,
  noApprise,
  shownApprise,
  storedApprise,
} from './settings.ts'

export const appriseDocument: SettingsDefinition<AppriseSettings, AppriseConfig> = {
  key: 'notifications.apprise',
  name: 'Apprise settings',
  defaults: () => noApprise,
  parse: appriseFrom,
  serialize: storedApprise,
  shown: shownApprise,
  setAside: 'whole',
  exported: {
    key: 'apprise',
    schema: AppriseConfigInput,
    older: { field: 'apprise', take: fromLegacy },
    ignoresEmpty: true,
    read: appriseFrom,
    plan: planChannel(newDestination, ({ targets, serverUrl }) =>
      targets.length > 0 || serverUrl !== '' ? 'Apprise settings' : '',
    ),
  },
}

function fromLegacy(value: unknown) {
  const { taken, left } = fitting(AppriseConfigInput, value)
  const { targets } = taken
  const isSetUp = Array.isArray(targets) && targets.length > 0
  return {
    taken: isSetUp ? (taken as AppriseConfigInput) : undefined,
    notes: leftOut('Apprise settings', left),
  }
}

/** Undefined when this installation already sends to it, or the import does not. */
function newDestination(next: AppriseSettings, here: AppriseSettings): Destination | undefined {
  const keyOf = ({ mode, serverUrl, configKey, targets, apiKeyHeader, skipTlsVerify }: AppriseSettings) =>
    JSON.stringify([mode, serverUrl, configKey, [...targets].sort(), apiKeyHeader, skipTlsVerify])
  const isSame = keyOf(next) === keyOf(here) && next.apiKey.reveal() === here.apiKey.reveal()
  if (!next.enabled || (here.enabled && isSame)) return undefined
  const targets = next.targets.map(maskedTarget).slice(0, 10).join(', ')
  const server = next.mode === 'http' ? ` through ${shownUrl(next.serverUrl)}` : ''
  return { kind: 'apprise', name: 'Apprise', goesTo: `${targets || next.configKey}${server}` }
}
