// All that the bridge takes from pidgate: its flow stores. Outside this repository, install the package and write
// 'pidgate' and 'pidgate/redis' in these two lines.

export { type FlowStore, memoryStore } from '../dist/index.mjs';
export { redisStore } from '../dist/redis.mjs';
