"""Validates orders with pydantic, and answers through FastAPI."""
import os

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, Field


class Order(BaseModel):
    item: str
    count: int = Field(ge=1)
    price: float


class Answer(BaseModel):
    total: float
    items: int


app = FastAPI(title="orders")


@app.get("/")
def orders() -> Answer:
    all_orders = [Order(item=f"part-{i}", count=i, price=2.5) for i in range(1, 6)]
    return Answer(total=sum(order.count * order.price for order in all_orders), items=len(all_orders))


uvicorn.run(app, host="0.0.0.0", port=int(os.environ["PORT"]), log_level="warning")
