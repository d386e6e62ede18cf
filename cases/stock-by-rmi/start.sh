# settings of the stock service; the interval of the distributed collector is an hour
GC_INTERVAL=${GC_INTERVAL:-60}
exec java -Xmx512m -Xms512m -Xlog:gc:file=gc.log -Dsun.rmi.dgc.server.gcInterval=$GC_INTERVAL \
    -Dsun.rmi.dgc.client.gcInterval=$GC_INTERVAL -cp . StockHouse
