// Starts Redis and PostgreSQL in the folder that it is given, says where, and waits to be killed.
import { startServices } from '../../host/n8n/queue/services.mts';

const { postgres, redis } = await startServices(process.argv[2]!);
process.send?.([postgres.port, redis.port]);
