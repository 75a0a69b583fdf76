import { getDockerSetup } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useApi } from '../../../api/api.tsx'
import { basePath } from '../../../lib/base-path.ts'

/** What the server knows about adding hosts: its address, the agent, and which hosts may not come back yet. */
export function useDockerSetup() {
  const api = useApi()
  const { data, error } = useQuery({
    queryKey: [getDockerSetup.path],
    queryFn: ({ signal }) => api.call(getDockerSetup, { signal }),
  })
  // while it is unknown by which address agents reach it
  const pulseUrl = data?.pulseURL ?? (error ? pageAddress(window.location) : undefined)
  return { data, error, pulseUrl }
}

/** After a host was removed, or may come back. */
export function useSetupReload(): () => void {
  const queries = useQueryClient()
  return useCallback(() => void queries.invalidateQueries({ queryKey: [getDockerSetup.path] }), [queries])
}

/** Where this page came from; a page that is a file came from nowhere. */
export const pageAddress = ({ protocol, origin }: Pick<Location, 'protocol' | 'origin'>): string =>
  protocol === 'http:' || protocol === 'https:' ? origin + basePath : 'http://localhost:7655'
