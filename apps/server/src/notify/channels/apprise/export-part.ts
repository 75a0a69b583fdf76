import { AppriseConfigInput, type AppriseConfig } from '@pulse/contract'
import { nothing, part, type TransferPart } from '../../../export-part.ts'
import type { SettingsDocument } from '../../../settings-document.ts'
import { confirmed, type Destination, fitting, leftOut, shownUrl } from '../import.ts'
import { appriseFrom, type AppriseSettings, maskedTarget, storedApprise } from './settings.ts'

const legacy = {
  field: 'apprise',
  take(value: unknown) {
    const { taken, left } = fitting(AppriseConfigInput, value)
    const { targets } = taken
    const isSetUp = Array.isArray(targets) && targets.length > 0
    return {
      taken: isSetUp ? (taken as AppriseConfigInput) : undefined,
      notes: leftOut('Settings of Apprise', left),
    }
  },
}

export const appriseExportPart = (document: SettingsDocument<AppriseSettings, AppriseConfig>): TransferPart =>
  part({
    key: 'apprise',
    schema: AppriseConfigInput,
    older: legacy,
    read: async () => storedApprise((await document.stored()).value),
    async plan(input, by) {
      if (Object.keys(input).length === 0) return nothing
      const next = appriseFrom(input)
      const found = newDestination(next, (await document.stored()).value)
      const [enabled, confirmation] = confirmed(next.enabled, found, by)
      return {
        summary: next.targets.length > 0 || next.serverUrl !== '' ? 'Apprise settings' : '',
        ...confirmation,
        queries: [document.writing({ ...next, enabled })],
      }
    },
  })

/** Undefined when this installation already sends there, or the import does not send. */
function newDestination(next: AppriseSettings, here: AppriseSettings): Destination | undefined {
  const keyOf = ({ mode, serverUrl, configKey, targets, apiKeyHeader, skipTlsVerify }: AppriseSettings) =>
    JSON.stringify([mode, serverUrl, configKey, [...targets].sort(), apiKeyHeader, skipTlsVerify])
  const isSame = keyOf(next) === keyOf(here) && next.apiKey.reveal() === here.apiKey.reveal()
  if (!next.enabled || (here.enabled && isSame)) return undefined
  const targets = next.targets.map(maskedTarget).slice(0, 10).join(', ')
  const server = next.mode === 'http' ? ` through ${shownUrl(next.serverUrl)}` : ''
  return { kind: 'apprise', name: 'Apprise', goesTo: `${targets || next.configKey}${server}` }
}
