import { getTokens, getUsers } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../../api/client.ts'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'

/** A change of the users: afterwards the list and the permissions are loaded again. */
export function useUserChange<Input, Reply>(
  change: (api: Api, input: Input) => Promise<Reply>,
  onChanged: (reply: Reply, input: Input) => void,
) {
  const api = useApi()
  const queries = useQueryClient()
  const { refresh } = useSession()
  return useChange({
    mutationFn: (input: Input) => change(api, input),
    onSuccess: (reply, input) => {
      onChanged(reply, input)
      void refresh()
      void queries.invalidateQueries({ queryKey: [getTokens.path], refetchType: 'active' })
      return queries.invalidateQueries({ queryKey: [getUsers.path] })
    },
  })
}
