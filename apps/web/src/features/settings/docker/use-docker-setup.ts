import { getDockerSetup } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAnswer } from '../../../api/use-answer.ts'
import { basePath } from '../../../lib/base-path.ts'

/** Data for adding hosts: Pulse's URL, the agent, and the hosts that are currently refused. */
export function useDockerSetup() {
  const { data, error } = useAnswer(getDockerSetup)
  // if the call fails, falls back to the page's own address
  const pulseUrl = data?.pulseURL ?? (error ? pageAddress(window.location) : undefined)
  return { data, error, pulseUrl }
}

/** Reloads the setup data after a host was removed or unblocked. */
export function useSetupReload(): () => void {
  const queries = useQueryClient()
  return useCallback(() => void queries.invalidateQueries({ queryKey: [getDockerSetup.path] }), [queries])
}

/** Origin of this page; for a file, the default address of Pulse. */
export const pageAddress = ({ protocol, origin }: Pick<Location, 'protocol' | 'origin'>): string =>
  protocol === 'http:' || protocol === 'https:' ? origin + basePath : 'http://localhost:7655'
