import { getTokens, getUsers } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { useSession } from '../../api/session.tsx'
import { useChange } from '../../api/use-change.ts'

/** Changes tokens, then reloads the list and the permissions. */
export const useTokenChange = <Input, Reply>(
  change: (api: Api, input: Input) => Promise<Reply>,
  onChanged: (reply: Reply, input: Input) => void,
) => useAccessChange([getTokens.path], change, onChanged)

/** Changes users, then reloads tokens too: removing a user can revoke tokens. */
export const useUserChange = <Input, Reply>(
  change: (api: Api, input: Input) => Promise<Reply>,
  onChanged: (reply: Reply, input: Input) => void,
) => useAccessChange([getTokens.path, getUsers.path], change, onChanged)

function useAccessChange<Input, Reply>(
  lists: readonly string[],
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
      return Promise.all(lists.map((path) => queries.invalidateQueries({ queryKey: [path] })))
    },
  })
}
