# One label for each order: who gets the shoes, and where.
.customers as $customers
| .orders
| map(. as $order
    | ($customers[] | select(.id == $order.customer)) as $customer
    | { label: "\($order.order) \($customer.name)", town: $customer.town, soles: $order.soles })
| group_by(.town)
| map({ town: .[0].town, labels: map(.label), soles: (map(.soles) | add) })
