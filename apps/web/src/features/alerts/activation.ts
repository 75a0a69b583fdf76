import {
  type ActivationState,
  type AlertConfig,
  getAlertConfig,
  postAlertsActivate,
  putAlertConfig,
} from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { log } from '../../lib/log.ts'
import { useChange } from '../../api/use-change.ts'
import { toast } from '../../ui/toast.ts'
import { configKey } from './config-edits.tsx'

const HOUR_MS = 3_600_000

/** Whether the observation period after activation is over; false until that is known. */
export function isObservationOver(
  {
    activationTime,
    observationWindowHours,
  }: Partial<Pick<AlertConfig, 'activationTime' | 'observationWindowHours'>>,
  now: number,
): boolean {
  if (!activationTime || !observationWindowHours) return false
  return now > Date.parse(activationTime) + observationWindowHours * HOUR_MS
}

const texts = {
  activated: "Alerts activated! You'll now receive alerts when issues are detected.",
  notActivated: 'Unable to activate alerts. Please try again.',
  deactivated: 'Alerts deactivated. Nothing will be sent until you activate them again.',
  snoozed: 'Alerts snoozed. Nothing will be sent until you activate them again.',
  unavailable: 'Alert configuration is unavailable',
  unknown: 'Unknown error',
}

/** Enables, disables or snoozes all alerts. Ignores further requests while one is under way. */
export function useActivation() {
  const api = useApi()
  const queries = useQueryClient()
  const change = useChange({
    mutationFn: (to: ActivationState) => (to === 'active' ? activate(api) : silence(api, to)),
    onSuccess(_reply, to) {
      if (to === 'snoozed') toast.warning(texts.snoozed)
      else toast.success(to === 'active' ? texts.activated : texts.deactivated)
    },
    onError: ({ message }, to) => {
      if (message === texts.unavailable) return toast.error(texts.unavailable)
      toast.error(to === 'active' ? texts.notActivated : message || texts.unknown)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: configKey }),
  })
  return { isBusy: change.isPending, switchTo: (to: ActivationState) => change.mutate(to) }
}

async function activate(api: Api): Promise<void> {
  await fetchConfig(api)
  await api.call(postAlertsActivate)
}

async function silence(api: Api, to: Exclude<ActivationState, 'active'>): Promise<void> {
  const { activationTime: _since, ...config } = await fetchConfig(api)
  await api.call(putAlertConfig, { body: { ...config, activationState: to } })
}

async function fetchConfig(api: Api): Promise<AlertConfig> {
  try {
    return await api.call(getAlertConfig, { query: { keys: 'stable' } })
  } catch (error) {
    log.warn('The alert configuration could not be loaded', error)
    throw new Error(texts.unavailable, { cause: error })
  }
}
