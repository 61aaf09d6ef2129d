import cluster from 'node:cluster';

/** Which of several processes this is; undefined where there is one. */
export const processNumber = cluster.worker?.id;
