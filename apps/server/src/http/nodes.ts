import { deleteNode, getNodes, postNode, postNodeTest, postTestConnection, putNode } from '@pulse/contract'
import type { ConnectionArea } from '../connections/area.ts'
import { route } from './route.ts'

export const nodeRoutes = (connections: ConnectionArea) => [
  route(getNodes, () => connections.list()),
  route(postNode, async ({ body }) => ({ status: 'success' as const, id: await connections.add(body) })),
  route(putNode, async ({ params, body }) => {
    await connections.change(params.id, body)
    return { status: 'success' as const, id: params.id }
  }),
  route(deleteNode, async ({ params }) => {
    await connections.remove(params.id)
    return { status: 'success' as const }
  }),
  route(postTestConnection, ({ body }) => connections.test(body)),
  route(postNodeTest, ({ params }) => connections.testStored(params.id)),
]
