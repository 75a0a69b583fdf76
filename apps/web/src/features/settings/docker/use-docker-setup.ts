import { getDockerSetup } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAnswer } from '../../../api/use-answer.ts'
import { basePath } from '../../../lib/base-path.ts'

/** What the server knows about adding hosts: its address, the agent, and which hosts may not come back yet. */
export function useDockerSetup() {
  const { data, error } = useAnswer(getDockerSetup)
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
