import {
  type DiscoveryProgress,
  type DiscoveryReply,
  getDiscovery,
  getSystemSettings,
  postDiscovery,
  postSystemSettings,
  type ReplyOf,
} from '@pulse/contract'
import { subnetsProblem } from '@pulse/domain'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useAnswer } from '../../../api/use-answer.ts'
import { useChange } from '../../../api/use-change.ts'
import { useLiveEvent, useReconnected } from '../../../live/use-live.ts'
import { toast } from '../../../ui/toast.ts'

const failedMs = 6_000
const refreshMs = 4_000

/** Network discovery: its switch, the servers found, and scan progress. */
export function useDiscovery() {
  const api = useApi()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<DiscoveryProgress>()
  const settings = useAnswer(getSystemSettings, { enabled: useStaggered(1) })
  const found = useAnswer(getDiscovery, { enabled: useStaggered(2) })
  const subnet = settings.data?.discoverySubnet ?? ''
  const isAuto = subnet.toLowerCase() === 'auto'

  const update = (change: (reply: DiscoveryReply) => Partial<DiscoveryReply>) =>
    queries.setQueryData<DiscoveryReply>(
      [getDiscovery.path],
      (reply) => reply && { ...reply, ...change(reply) },
    )
  useLiveEvent('discovery_started', () => {
    setProgress(undefined)
    update(() => ({ scanning: true, errors: [] }))
  })
  useLiveEvent('discovery_progress', ({ data }) => {
    setProgress(data.progress)
    update(() => ({ scanning: true }))
  })
  useLiveEvent('discovery_server_found', ({ data: { server } }) =>
    update(({ servers }) => ({ servers: servers.some(isSame(server)) ? servers : [...servers, server] })),
  )
  useLiveEvent('discovery_update', ({ data: { servers, errors, timestamp, environment } }) =>
    update(() => ({ servers, errors, timestamp, updated: timestamp, ...(environment && { environment }) })),
  )
  useLiveEvent('discovery_complete', () => update(() => ({ scanning: false })))
  useReconnected(() => void queries.invalidateQueries({ queryKey: [getDiscovery.path] }))

  const scan = useChange({
    mutationFn: (scope: string) => api.call(postDiscovery, { body: { subnet: scope } }),
    onSuccess: (reply) => queries.setQueryData([getDiscovery.path], reply),
    onError: () => toast.error('Failed to start discovery scan', failedMs),
  })

  const save = useChange({
    mutationFn: (discoveryEnabled: boolean) => api.call(postSystemSettings, { body: { discoveryEnabled } }),
    onSuccess: (_reply, discoveryEnabled) => {
      queries.setQueryData<ReplyOf<typeof getSystemSettings>>(
        [getSystemSettings.path],
        (before) => before && { ...before, discoveryEnabled },
      )
      if (discoveryEnabled) scan.mutate(subnet)
    },
    onError: () => toast.error('Failed to update discovery setting', failedMs),
  })

  return {
    settings,
    found,
    isAuto,
    enabled: (save.isPending ? save.variables : settings.data?.discoveryEnabled) ?? false,
    locked: settings.data?.envOverrides['discoveryEnabled'] === true,
    changing: save.isPending,
    scanning: scan.isPending || found.data?.scanning === true,
    progress,
    switchTo(enabled: boolean) {
      const problem = enabled && !isAuto ? subnetsProblem(subnet, { enabling: true }) : undefined
      if (problem) toast.error(problem, failedMs)
      else save.mutate(enabled)
    },
    refresh() {
      toast.info(isAuto ? `Refreshing discovery... ${autoNote}` : 'Refreshing discovery...', refreshMs)
      scan.mutate(subnet)
    },
  }
}

export type Discovery = ReturnType<typeof useDiscovery>

export const autoNote = 'Auto discovery scans each network phase; large networks may take longer.'

const isSame = (one: { ip: string; port: number }) => (other: { ip: string; port: number }) =>
  one.ip === other.ip && one.port === other.port

const stepMs = 50

/** True after that many steps: spreads out a section's calls. */
export function useStaggered(steps: number): boolean {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), steps * stepMs)
    return () => clearTimeout(timer)
  }, [steps])
  return due
}
