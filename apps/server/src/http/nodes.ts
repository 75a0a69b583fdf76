import { deleteNode, getNodes, postNode, postNodeTest, postTestConnection, putNode } from '@pulse/contract'
import type { ConnectionArea } from '../connections/area.ts'
import { route } from './route.ts'

export const nodeRoutes = (connections: ConnectionArea) => [
  route(getNodes, () => connections.list()),
  route(postNode, async ({ body, note }) => {
    const id = await connections.add(body)
    note({ target: connections.nameOf(id) })
    return { status: 'success' as const, id }
  }),
  route(putNode, async ({ params, body, note }) => {
    await connections.change(params.id, body)
    note({ target: connections.nameOf(params.id) })
    return { status: 'success' as const, id: params.id }
  }),
  route(deleteNode, async ({ params, note }) => {
    note({ target: connections.nameOf(params.id) })
    await connections.remove(params.id)
    return { status: 'success' as const }
  }),
  route(postTestConnection, ({ body }) => connections.test(body)),
  route(postNodeTest, ({ params }) => connections.testStored(params.id)),
]
