import { type ApiToken, getTokens, postToken } from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import { revealToken } from '../../../parts/token-reveal/revealed-token.ts'

export function useTokens() {
  const api = useApi()
  return useQuery({
    queryKey: [getTokens.path],
    queryFn: ({ signal }) => api.call(getTokens, { signal }),
  })
}

/** A token that can do nothing but report, and binds to the first host that shows it. */
export function useGenerateToken(onGenerated: (record: ApiToken) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const { refresh } = useSession()
  return useChange({
    mutationFn: (name: string) =>
      api.call(postToken, { body: { name, scopes: ['docker:report'], oneHost: true } }),
    onSuccess: ({ token, record }) => {
      onGenerated(record)
      revealToken({
        token,
        record,
        source: 'Settings → Docker hosts',
        note: 'New API token generated. Copy it below while it is still visible.',
      })
      void refresh()
      return queries.invalidateQueries({ queryKey: [getTokens.path] })
    },
  })
}
